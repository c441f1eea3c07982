export namespace Geometry.Flat {
  export const origin = new Point();
  const hidden = 1;
  export function distance(to: Point) {
    return origin.to(to) + hidden;
  }
  namespace Deep {
    export interface Line {}
  }
}

declare module 'other' {
  export function added(): void;
}
declare global {
  interface Window {
    app: Geometry.Flat.Deep.Line;
  }
  var debug: boolean;
}
declare class Ambient {
  method(): void;
  field: string;
}
