import type { ModuleSystemName } from '../modules/index.js';

/**
 * What the linker has to know of a language: data, so that a language is added without a line of the linker. All of it
 * is optional where a language lacks the thing.
 */
export interface LinkRules {
  /** The module system that its files are found by: see `source/modules`. */
  readonly modules: ModuleSystemName;
  /**
   * What a package is, whose names its files see without an import: the files of one folder that say one name, all
   * files that say one name, or each file alone. `program`: all files are of one; each sees what the files have that it
   * includes, and what is declared there is the definition of that name, wherever that is. `library`: each file is one, with
   * its parts; it sees what those offer that it imports. `open`: all files are of one, and any of them may add to a type:
   * what a type has is found by its full name, wherever that is written.
   */
  readonly package: 'folder' | 'written' | 'file' | 'program' | 'library' | 'open';
  /** Of a language of `open` types, which are values: the type of the library that they have, its argument the type itself. */
  readonly classType?: string;
  /** The method of such values that makes an instance. */
  readonly makes?: string;
  /** Whether a package sees the names of those that its own name begins with: `A.B` those of `A`. */
  readonly outerPackages?: boolean;
  /**
   * Whether functions can be called as members of what their first parameter takes: those of the packages that a file sees, or
   * with `named` those that are in scope by their name, by that of the type around them, or that stand beside the type.
   */
  readonly extensionMethods?: boolean | 'named';
  /** Types of the library whose first argument is what awaiting one gives. */
  readonly awaited?: readonly string[];
  /**
   * Whether types, values and functions of one name live apart, so that one does not hide the other. `tags`: types give
   * way to values and functions, but where a type is written. `terms`: types live apart, and values and functions together.
   */
  readonly namespaces: 'one' | 'apart' | 'tags' | 'terms';
  /** Whether a function without parameters is called by its name alone. */
  readonly bareCalls?: boolean;
  /** The method that is called where a value is called. */
  readonly calledMethod?: string;
  /** Whether of several types that one derives from the last comes first, classes and interfaces alike. */
  readonly lastFirst?: boolean;
  /** The name of the object in a package whose members are those of the package. */
  readonly packageObject?: string;
  /** Whether the body of a type, and what it encloses, sees its members by their bare names, inherited ones included. */
  readonly membersInScope: boolean;
  /** What the function is found by that makes an instance, where that is a method like all others, or one of several by names. */
  readonly constructorName?: string;
  /** Whether arguments have labels, which are a part of a function's name: see the unit's table `symbols`. */
  readonly labels?: boolean;
  /** Whether an argument may say the name of the parameter that it is given for: the expression `named`. */
  readonly argumentNames?: boolean;
  /**
   * Whether what an interface does by itself is declared apart from it, in an extension: a type that has no such method of
   * its own runs that, while the interface itself says only that there is one.
   */
  readonly bodiesApart?: boolean;
  /** Whether what is private is seen in all of its file, and nowhere else. */
  readonly privateToFile?: boolean;
  /** Whether several functions of one name in one type are told apart by their parameters. */
  readonly overloads: boolean;
  /** How a type comes to satisfy an interface: it says so, or it has the methods. */
  readonly satisfaction: 'written' | 'implicit';
  /**
   * Whether what a type extends is only embedded in it: it lends its members, and where the type has one of its own that
   * one runs in nobody's place. What an interface extends is required by it, also here.
   */
  readonly embedding?: boolean;
  /** Whether declarations anywhere in the project may give a type members and bases: see the unit's table `extensions`. */
  readonly extensions?: boolean;
  /** Whether a variable that is nearer than a function of its name is called in its place. */
  readonly callsValues?: boolean;
  /**
   * The method that is called where a value is. A name that is called then means the nearest that takes the call: neither a
   * value without it nor a function that takes another number of arguments.
   */
  readonly invokedMethod?: string;
  /**
   * Of a language whose files are modules of a tree, with modules in them, and whose names are paths in it: the words for
   * the module at the root, the one that a path is written in, and the one around that.
   */
  readonly paths?: { readonly root: string; readonly own: string; readonly parent: string };
  /** The method or field that gives what stands under an index, where lists are not all that have it. */
  readonly indexing?: string;
  /** Types of the library that every file sees without an import, by their full names. */
  readonly prelude?: Readonly<Record<string, string>>;
  /** Whether a file is a module whose value is what it exports as `default`. */
  readonly moduleValues?: boolean;
  /** Whether a name or field that is given a function or a type stands for that. */
  readonly functionsAreValues?: boolean;
  /** Whether a method may give what it is called on: the type `self`. */
  readonly selfTypes?: boolean;
  /** Packages whose names every file sees: `java.lang`; where names of types are written in full those of all others. */
  readonly implicitImports: readonly string[];
  /** The package that built-in types and functions are said to be of: `builtin`. */
  readonly builtinPackage: string;
  /** What every type derives from, by the library's name: `java.lang.Object`; empty without any. */
  readonly rootType: string;
  /** The type of the library, with one parameter, that has the members of lists that are written in place: arrays. */
  readonly listType?: string;
  /** What enums and records derive from without saying so. */
  readonly enumType: string;
  /** The types of literals that are types of the library: `{ string: 'java.lang.String' }`. */
  readonly literals: Readonly<Record<string, string>>;
  /** Types of the library, by their last names, that literals are of, too, where one is expected. */
  readonly literalsFit?: Readonly<Record<string, readonly string[]>>;
  /** The built-in type of what is true or false. */
  readonly truth: string;
  /** Built-in number types, each of which can be given where a later one is expected. Empty: only equal ones can. */
  readonly widening: readonly string[];
  /** Built-in types and the library's types that hold them. */
  readonly boxes: Readonly<Record<string, string>>;
  /** Whether a value becomes one of another type by a constructor of that which takes it, also where nothing says so. */
  readonly converts?: boolean;
  /** The methods that iteration calls in turn: `['iterator', 'next']`; empty where only built-in types are iterated. */
  readonly iteration: readonly string[];
  /**
   * What is known of built-in and of much used library functions and types: see `library.ts` for how it is written.
   * Only what a type leads through is worth a line: `http.NewRequest` gives a `*http.Request`.
   */
  readonly library: string;
  /** Of a language whose names hold what was assigned to them last: how values are followed. Absent: types are declared. */
  readonly flow?: FlowRules;
}

/** What the linker has to know of a language whose values are followed by assignments. Paths are dotted, arguments left out. */
export interface FlowRules {
  /** Whether a file is the package that its folder is: names that it lacks are modules of the folder. */
  isPackageFile(path: string): boolean;
  /** The methods that the language calls by itself. */
  readonly methods: {
    readonly constructor: string;
    /** When an instance is called. */
    readonly called: string;
    /** What a value is that is entered: `with value as name`. */
    readonly entered: string;
    readonly iterated: string;
    readonly next: string;
    readonly item: string;
  };
  /** The attribute that is the class of an instance. */
  readonly classOf: string;
  readonly decorators: {
    /** A method is read like a field. */
    readonly property: RegExp;
    /** A method writes a property, or deletes it. */
    readonly writing: RegExp;
    /** A method is handed its class. */
    readonly classMethod: RegExp;
    /** A function still gives what its body says. */
    readonly plain: RegExp;
  };
  /** The last name of what is a class of a library by the way it is written. */
  readonly className: RegExp;
  /** Bases that bring no members, by their full names; what is built in by its bare name. */
  readonly emptyBases: ReadonlySet<string>;
  /** Names of methods that nobody overrides: they are their class's alone. */
  readonly ownMethods: RegExp;
  /** The type of whole numbers among those of literals. */
  readonly wholeNumber: string;
  /** What built-in functions give: their argument, one of its items, a container, a member by its name, its class. */
  readonly builtins: Readonly<Record<string, 'argument' | 'item' | 'list' | 'map' | 'member' | 'class'>>;
  /** Methods of containers, by what they give. */
  readonly containers: Readonly<
    Record<string, 'self' | 'item' | 'values' | 'keys' | 'entries' | 'last' | 'keyed' | 'entered'>
  >;
  /** What functions of libraries give: their argument, the type that it names, the value of a named argument. */
  readonly libraries: Readonly<Record<string, 'argument' | 'type' | { readonly named: string }>>;
  /** What types with arguments are made of, by their last name. */
  readonly types: {
    /** The type around it. */
    readonly self: ReadonlySet<string>;
    /** What has no members. */
    readonly nothing: ReadonlySet<string>;
    /** What says nothing of a value. */
    readonly unknown: ReadonlySet<string>;
    /** The first argument. */
    readonly wrappers: ReadonlySet<string>;
    readonly sequences: ReadonlySet<string>;
    readonly tuples: ReadonlySet<string>;
    readonly mappings: ReadonlySet<string>;
    readonly awaitables: ReadonlySet<string>;
    readonly unions: ReadonlySet<string>;
    /** The class itself. */
    readonly classes: ReadonlySet<string>;
  };
  /** What fills the parameters of tests and fixtures by their names; absent where nothing does. */
  readonly fixtures?: {
    /** What a fixture is decorated with. */
    readonly decorator: RegExp;
    /** Functions that are filled besides fixtures. */
    readonly test: RegExp;
    /** A decorator that may list the values of a parameter itself. */
    readonly listing: RegExp;
    /** The files whose fixtures those of their folder and of folders in it have. */
    readonly file: string;
  };
}
