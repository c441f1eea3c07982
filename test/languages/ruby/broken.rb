module Broken
  class Half
    def whole(a)
      a.each do |x
        x.to_s
    end

    def second
      whole(1
    end

    attr_reader :

  def third() = second
  @x = = 1
  class
end
