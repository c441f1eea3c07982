export declare class Api {
  constructor(options?: Options);
  call<T>(name: string): Promise<T>;
  static version: string;
}
export declare function create(): Api;
export declare const api: Api;
export interface Options {
  url: string;
}
export as namespace ApiLib;
