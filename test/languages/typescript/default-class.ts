export default class extends Base {
  run() {}
}
