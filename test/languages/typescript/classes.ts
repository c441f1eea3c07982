import { Base, type Port } from './base';

/**
 * Serves.
 *
 * @example new Server(1)
 */
@sealed
@register('server', { eager: true })
export abstract class Server<T> extends Base.Core<T> implements Port, Closable {
  private static readonly limit: number = 10;
  #secret = new Vault();
  protected handler = async (request: Request): Promise<void> => {
    this.log(request);
  };
  ready!: boolean;
  options = { retry() {}, nested: { deep: () => 1 } };

  constructor(
    private readonly port: number,
    public name = 'server',
    plain?: string,
  ) {
    super(port);
    this.cache = new Cache(plain);
    this.#secret = open(name);
  }

  get size(): number {
    return this.#secret.size;
  }
  set size(value: number) {}

  @logged
  @timed.as('start')
  static async start(this: void): Promise<Server<string>> {
    return super.start();
  }

  abstract stop(): void;
  send(text: string): void;
  send(bytes: Uint8Array): void;
  send(data: unknown) {}
  private *items() {}
  ['computed']() {}
  [Symbol.iterator]() {}
  #hidden() {}
  static {
    register(Server);
  }
}

const Anonymous = class extends Server<number> {
  stop() {}
};
function mixin() {
  return class extends Anonymous {
    extra() {}
  };
}

class Assigned {
  on: (name: string) => void;

  constructor(private readonly bus: Server) {
    this.on = (name) => {
      listen(name);
      this.bus.start();
      [name].forEach((one) => listen(one));
    };
    this.#off = (async () => listen('off')) as Listener;
    this.nested.off = function () {
      listen('nested');
    };
    listen('constructor');
  }
}
