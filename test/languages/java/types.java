/** Shapes of a shop. */
package com.acme.shop;

import java.util.ArrayList;
import java.util.Map.Entry;
import java.util.concurrent.*;
import static com.acme.util.Checks.notNull;
import static com.acme.util.Names.*;

/**
 * A basket.
 *
 * @param <T> what is in it
 */
@Entity(name = "basket", indexes = {@Index("a")})
public abstract class Basket<T extends Item & Comparable<T>> extends Base<T> implements Iterable<T>, Closeable {
  /** How many fit. */
  public static final int LIMIT = 10;
  @Inject protected ArrayList<? super T> items, spare[] = {};
  private Entry<String, int[]> last;

  static {
    int prepared = prepare();
    register(prepared);
  }

  {
    reset();
  }

  /** Makes an empty one. */
  protected Basket() {
    this(LIMIT);
  }

  Basket(int size) throws ExecutionException {
    super(size);
    this.last = null;
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<T>() {
      private int at = 0;

      @Override
      public boolean hasNext() {
        return at < size();
      }

      public T next() {
        return Basket.this.get(at++);
      }
    };
  }

  abstract T get(int at);

  protected static <E extends Item> E first(Basket<E> basket, E... others) {
    return others.length == 0 ? basket.get(0) : others[0];
  }

  class Shelf {
    Shelf above;

    void lift() {
      class Lever {
        void pull() {
          above.lift();
        }
      }
      new Lever().pull();
    }
  }

  private static class Empty extends Basket<Item> {}

  enum Size implements Sized {
    /** Fits a pocket. */
    SMALL,
    @Deprecated
    LARGE(2) {
      @Override
      int factor() {
        return 2 * super.factor();
      }
    };

    private final int factor;

    Size() {
      this(1);
    }

    Size(int factor) {
      this.factor = factor;
    }

    int factor() {
      return factor;
    }
  }

  record Point(int x, @NotNull Integer... rest) implements Sized {
    Point {
      notNull(rest);
    }

    public int x() {
      return x + 1;
    }

    static Point origin() {
      return new Point(0);
    }
  }

  interface Sized extends Serializable {
    int NONE = 0;

    int factor();

    default boolean isNone() {
      return factor() == NONE;
    }

    static Sized none() {
      return () -> NONE;
    }
  }

  @interface Index {
    String value() default "";

    Class<?>[] types() default {};
  }

  /** Implements a type that its own member has the name of. */
  static class Sum implements Builder {
    static class Builder {}
  }
}

sealed interface Item permits Book {}

non-sealed class Book implements Item {}
