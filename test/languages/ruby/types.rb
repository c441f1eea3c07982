# frozen_string_literal: true

require "json"
require_relative "values"

# A shop sells things.
module Shop
  VERSION = "1.0"

  # Things that can be counted.
  module Counted
    def self.included(base)
      base.extend ClassMethods
    end

    module ClassMethods
      def counted
        all.size
      end
    end

    def count!
      @count = Counter.new
      @count.up
    end
  end

  # Counts.
  class Counter
    attr_reader :value

    def initialize(value = 0)
      @value = value
    end

    def up(by = 1)
      @value += by
      self
    end
    alias increase up
  end

  class Item
    include Counted

    attr_accessor :name, :price

    class << self
      def all
        @all ||= []
      end

      private

      def register(item)
        all << item
      end
    end

    # Makes an item.
    def self.make(name)
      new(name).rename(name)
    end

    def initialize(name)
      super()
      @name = name
      @log = Log.new(self)
    end

    def rename(name)
      self.name = name
      log.note(name)
      count!.up.increase
      self
    end

    def to_s
      "#{name}: #{VERSION}"
    end

    private

    attr_reader :log

    def secret; end

    Log = Struct.new(:item) do
      def note(text)
        puts text, item
      end
    end
  end

  class Book < Item
    def initialize(name, author:)
      super(name)
      @author = author
    end

    def rename(name)
      super
      secret
    end
  end
end

class Shop::Order
  def initialize
    @items = [Shop::Book.new("a", author: "b")]
  end

  def total
    @items.each { |item| item.rename("x") }
    Shop::Item.counted
    Shop::Item.make("y").count!
    first = @items.first
    first.to_s
    @items.map(&:rename)
    unknown.rename
  end
end
