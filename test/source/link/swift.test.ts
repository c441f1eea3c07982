import { describe, expect, it } from 'vitest';
import { readSwiftPackage, swiftPackageProblem } from '../../../source/modules/index.js';
import { resolved } from '../resolution/resolved.js';

/** Where the calls of a file lead, by the file of what is called. */
function leads(sources: Record<string, string>, file: string): string[] {
  const program = resolved(sources);
  return program.resolution.references
    .filter((one) => one.file === file && one.evidence.expression.endsWith(')'))
    .map(({ target, evidence }) => {
      const to = 'definition' in target ? target.file : 'external' in target ? target.external.package : '?';
      return `${evidence.expression} > ${to}`;
    });
}

describe('Swift modules', () => {
  const PACKAGE = `// swift-tools-version:5.9
let package = Package(
  name: "Shop", // a comment: .target(name: "No")
  dependencies: [.package(url: "https://a.b/c", from: "1.0.0")],
  targets: [
    .target(name: "Cart", dependencies: [.target(name: "Money"), .product(name: "X", package: "c")]),
    .target(name: "Money", path: "Other/Money"),
    .executableTarget(name: "App", dependencies: ["Cart"]),
    .testTarget(name: "CartTests", dependencies: ["Cart"]),
  ]
)
`;

  it('are the targets of a package, in the folders that it says or in those of the convention', () => {
    const { targets } = readSwiftPackage(PACKAGE);
    expect(targets.map(({ name, folders }) => `${name} ${folders[0]}`)).toEqual([
      'Cart Sources/Cart',
      'Money Other/Money',
      'App Sources/App',
      'CartTests Tests/CartTests',
    ]);
    expect(swiftPackageProblem(PACKAGE)).toBe(null);
  });

  it('are read as far as a damaged package can be, and none of an empty one', () => {
    expect(swiftPackageProblem('let package = Package(name: "A", targets: [.target(name: "B"')).not.toBe(
      null,
    );
    expect(readSwiftPackage('let p = Package(targets: [.target(name: "B"').targets[0]?.name).toBe('B');
    for (const text of ['', '(', '"', '.target(', '.target(name: )', '/*', '.target('.repeat(50_000)])
      expect(readSwiftPackage(text).targets).toEqual([]);
  });

  it('see their own names, and those of what they import', () => {
    const sources = {
      'Package.swift': PACKAGE,
      'Sources/Cart/Cart.swift': 'import Money\nfunc total() { tax(1); help(); rest() }',
      'Sources/Cart/Help.swift': 'func help() {}\nprivate func rest() {}',
      'Other/Money/Tax.swift': 'public func tax(_ a: Int) {}',
      'Sources/App/main.swift': 'import Cart\nfunc help() {}\nhelp()\ntotal()\ntax(1)\n',
      'Tests/CartTests/CartTests.swift':
        'import XCTest\n@testable import Cart\nclass T: XCTestCase { func testA() { total(); tax(1) } }',
    };
    expect(leads(sources, 'Sources/Cart/Cart.swift')).toEqual([
      'tax(1) > Other/Money/Tax.swift',
      'help() > Sources/Cart/Help.swift',
      'rest() > ?',
    ]);
    expect(leads(sources, 'Sources/App/main.swift')).toEqual([
      'help() > Sources/App/main.swift',
      'total() > Sources/Cart/Cart.swift',
      'tax(1) > ?',
    ]);
    expect(leads(sources, 'Tests/CartTests/CartTests.swift')).toEqual([
      'total() > Sources/Cart/Cart.swift',
      'tax(1) > ?',
    ]);
  });

  it('are one without a package', () => {
    const sources = { 'A/a.swift': 'func a() { b() }', 'B/b.swift': 'func b() {}' };
    expect(leads(sources, 'A/a.swift')).toEqual(['b() > B/b.swift']);
    expect(leads({ ...sources, 'Package.swift': 'let package = Package(name: "A")' }, 'A/a.swift')).toEqual([
      'b() > B/b.swift',
    ]);
  });
});

describe('Swift routes', () => {
  it('are those of Vapor, with the parts of their paths, and of Hummingbird', () => {
    const program = resolved({
      'a.swift': `import Vapor
func routes(_ app: Application) throws {
  app.get { req in "it" }
  app.get("hello", ":name") { req in "x" }
  let api = app.grouped("api", "v1")
  api.post("users", use: create)
  app.group("admin") { admin in admin.delete("users", use: create) }
}
func create(req: Request) {}
`,
      'b.swift': `import Hummingbird
func build() {
  let router = Router()
  router.get("/health") { _, _ in "ok" }
  router.group("todos").put(":id", use: update)
}
func update() {}
`,
    });
    const names = (file: string) =>
      program.facts(file).routes.flatMap(({ routes }) => routes.map(({ name }) => name));
    expect(names('a.swift')).toEqual([
      'GET /',
      'GET /hello/:name',
      'POST /api/v1/users',
      'DELETE /admin/users',
    ]);
    expect(names('b.swift')).toEqual(['GET /health', 'PUT /todos/:id']);
  });
});
