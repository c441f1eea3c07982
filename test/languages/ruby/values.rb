# Where values come from, and what conditions say of them.
class Values
  LIMIT = [1, 2].max
  attr_reader :held

  def run(given, other = nil)
    thing = given.is_a?(Lamp) ? given : Lamp.new
    thing.on
    if other
      thing = Radio.new
    end
    thing.on
    return unless given.is_a?(Radio)

    given.tune
    case other
    when Lamp then other.on
    when Radio, Lamp
      other.on
    end
    a, (b, *c) = [Lamp.new, [Radio.new, 1]]
    a.on
    @held ||= Lamp.new
    held&.on
    [Lamp.new].each do |one|
      one.on
      thing = one
    end
    begin
      Radio.make
    rescue KeyError, Missing => e
      e.message
    else
      thing.on
    ensure
      b.tune
    end
    for one in [Radio.new] do one.tune end
    [Radio.new].map(&:tune).each(&method(:note))
    Lamp.new.then { |lamp| lamp.on }
    other ? c : "#{thing.on}"
  end

  def note(text) = puts(text)

  alias_method :write, :note
  delegate :tune, to: :radio
  define_method(:listen) { |radio| radio.tune }

  def radio
    Radio.new
  end
  private :radio

  protected

  def secret; end
end
