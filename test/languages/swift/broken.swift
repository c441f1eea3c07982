import
class {
    func ( {
    var : Int
    init(
}
extension : P {
    func lost() { kept( }
struct Kept {
    func kept() -> Int { 1
    case
enum { case }
