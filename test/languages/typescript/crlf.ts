/** Windows line ends. */
export class Crlf {
  /**
   * First line.
   * Second line.
   */
  method(
    a: string,
  ): void {
    // TODO: fix
    this.method(a);
  }
}
