import { createRequire as cr_ } from 'node:module'; const require = cr_(import.meta.url);
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// ../../../../work/main/node_modules/ignore/index.js
var require_ignore = __commonJS({
  "../../../../work/main/node_modules/ignore/index.js"(exports, module2) {
    function makeArray(subject) {
      return Array.isArray(subject) ? subject : [subject];
    }
    var UNDEFINED = void 0;
    var EMPTY2 = "";
    var SPACE = " ";
    var ESCAPE = "\\";
    var REGEX_LITERAL_SPECIAL = /[.*+?()[\]{}^$|\\/]/;
    var BOM = "\uFEFF";
    var REGEX_ANCHORED_GLOBSTAR = /^\/\*{2,}$/;
    var REGEX_REPLACE_LEADING_EXCAPED_EXCLAMATION = /^\\!/;
    var REGEX_REPLACE_LEADING_EXCAPED_HASH = /^\\#/;
    var REGEX_SPLITALL_CRLF = /\r?\n/g;
    var DOUBLE_SLASH = "//";
    var SLASH_CODE = 47;
    var DOT_CODE = 46;
    var SLASH = "/";
    var TMP_KEY_IGNORE = "node-ignore";
    if (typeof Symbol !== "undefined") {
      TMP_KEY_IGNORE = /* @__PURE__ */ Symbol.for("node-ignore");
    }
    var KEY_IGNORE = TMP_KEY_IGNORE;
    var define2 = (object2, key, value) => {
      Object.defineProperty(object2, key, { value });
      return value;
    };
    var RETURN_FALSE = () => false;
    var POSIX_CLASSES = {
      alnum: "0-9A-Za-z",
      alpha: "A-Za-z",
      blank: " \\t",
      cntrl: "\\x00-\\x1f\\x7f",
      digit: "0-9",
      graph: "!-.0-~",
      lower: "a-z",
      print: " -.0-~",
      punct: "!-.:-@\\[-`{-~",
      // git's `sane-ctype.h` classifies \v and \f as control, not space,
      //   unlike C's `isspace`
      space: " \\t\\n\\r",
      upper: "A-Z",
      xdigit: "0-9A-Fa-f"
    };
    var CLASS_MEMBERS_TO_ESCAPE = "\\]^-[";
    var escapeMember = (char) => CLASS_MEMBERS_TO_ESCAPE.indexOf(char) < 0 ? char : ESCAPE + char;
    var NON_SLASH = "(?!\\/)";
    var classSource = (negated, body) => {
      if (negated) {
        return `[^\\/${body}]`;
      }
      const source = `[${body}]`;
      return new RegExp(source).test("/") ? NON_SLASH + source : source;
    };
    var scanBracket = (pattern, start) => {
      const { length } = pattern;
      let index = start + 1;
      let negated = EMPTY2;
      const lead = pattern[index];
      if (lead === "!" || lead === "^") {
        negated = "^";
        index++;
      }
      let body = EMPTY2;
      let prev = EMPTY2;
      for (; ; ) {
        const char = pattern[index];
        if (char === UNDEFINED) {
          return null;
        }
        if (char === ESCAPE) {
          const escaped = pattern[++index];
          body += escapeMember(escaped);
          prev = escaped;
        } else if (char === "-" && prev && index + 1 < length && pattern[index + 1] !== "]") {
          index++;
          let to = pattern[index];
          if (to === ESCAPE) {
            to = pattern[index += 1];
          }
          if (prev <= to) {
            body += `-${escapeMember(to)}`;
          }
          prev = EMPTY2;
        } else if (char === "[" && pattern[index + 1] === ":") {
          const nameStart = index + 2;
          let end = nameStart;
          while (end < length && pattern[end] !== "]") {
            end++;
          }
          if (end === length) {
            return null;
          }
          if (end > nameStart && pattern[end - 1] === ":") {
            const name2 = pattern.slice(nameStart, end - 1);
            if (!Object.prototype.hasOwnProperty.call(POSIX_CLASSES, name2)) {
              return null;
            }
            body += POSIX_CLASSES[name2];
            prev = EMPTY2;
            index = end;
          } else {
            body += escapeMember("[");
            prev = "[";
            index = nameStart - 2;
          }
        } else {
          body += escapeMember(char);
          prev = char;
        }
        index++;
        if (pattern[index] === "]") {
          return {
            end: index,
            source: classSource(negated, body)
          };
        }
      }
    };
    var NEVER_MATCH = "[]";
    var PLACEHOLDER2 = "\0";
    var REGEX_RESTORE_PLACEHOLDER = new RegExp(
      `${PLACEHOLDER2}(\\d+)${PLACEHOLDER2}`,
      "g"
    );
    var TRAILING_WILDCARD = "\uE000";
    var TRAILING_DOUBLESTAR = "\uE001";
    var isReserved = (char) => char === PLACEHOLDER2 || char === TRAILING_WILDCARD || char === TRAILING_DOUBLESTAR;
    var extractBrackets = (pattern) => {
      const sources = [];
      const hold = (source) => `${PLACEHOLDER2}${sources.push(source) - 1}${PLACEHOLDER2}`;
      const { length } = pattern;
      let out = EMPTY2;
      let index = 0;
      while (index < length) {
        const char = pattern[index];
        if (char === ESCAPE) {
          const escaped = pattern[index + 1];
          if (escaped === SLASH && index + 2 === length) {
            out += hold(NEVER_MATCH);
          } else if (escaped === "*" || escaped === "[" || escaped === SPACE) {
            out += pattern.slice(index, index + 2);
          } else {
            out += hold(
              REGEX_LITERAL_SPECIAL.test(escaped) ? ESCAPE + escaped : isReserved(escaped) ? `[${escaped}]` : escaped
            );
          }
          index += 2;
        } else if (isReserved(char)) {
          out += hold(`[${char}]`);
          index++;
        } else if (char === "[") {
          const scanned = scanBracket(pattern, index);
          if (scanned === null) {
            out += hold(NEVER_MATCH);
            index = length;
          } else {
            out += hold(scanned.source);
            index = scanned.end + 1;
          }
        } else {
          out += char;
          index++;
        }
      }
      return {
        source: out,
        sources
      };
    };
    var DIRECT = null;
    var REGEX_INNER_SLASH = /\/(?!$)/;
    var WILDCARD2 = "[^\\/]*";
    var REPLACERS = [
      // Replace (\ ) with ' '
      // Only a space: an escaped tab or other whitespace is already a literal by
      //   the time it reaches here, and a bare tab must be left as one, not turned
      //   into a space.
      // (\ ) -> ' '
      // (\\ ) -> '\\ '
      // (\\\ ) -> '\\ '
      [
        // A run of backslashes is taken whole, from its first one, so no match
        //   ever starts again inside it -- `(\\+?) ` did, which made a long run
        //   quadratic.
        /(\\+)( ?)/g,
        (_, run, space) => space ? run.slice(0, run.length - run.length % 2) + SPACE : run,
        ESCAPE + SPACE
      ],
      // git's wildmatch() reads a run of two or more asterisks as one globstar
      //   whenever the run fills a path segment: it starts the pattern or follows
      //   a `/`, and it ends the pattern or comes before a `/`. A run of two is
      //   already `**`; a longer one is folded into `**` here, so the steps
      //   below only ever have to know `**`.
      // `***/foo` -> `**/foo`, `a/***/b` -> `a/**/b`, `a/***` -> `a/**`
      // git also takes a run beside a literal prefix (`a***/b`) or beside an
      //   escaped slash (`***\/b`) as a globstar, and this does not; the README
      //   lists both, under "A run of asterisks".
      [
        /(^|\/)\*{3,}(?=\/|$)/g,
        (_, start) => `${start}**`,
        "*"
      ],
      // Escape metacharacters
      // which is written down by users but means special for regular expressions.
      // > There are 12 characters with special meanings:
      // > - the backslash \,
      // > - the caret ^,
      // > - the dollar sign $,
      // > - the period or dot .,
      // > - the vertical bar or pipe symbol |,
      // > - the question mark ?,
      // > - the asterisk or star *,
      // > - the plus sign +,
      // > - the opening parenthesis (,
      // > - the closing parenthesis ),
      // > - and the opening square bracket [,
      // > - the opening curly brace {,
      // > These special characters are often called "metacharacters".
      [
        /[\\$.|*+(){^]/g,
        (match) => `\\${match}`
      ],
      [
        // > a question mark (?) matches a single character
        /(?!\\)\?/g,
        () => "[^/]",
        "?"
      ],
      // leading slash
      [
        // > A leading slash matches the beginning of the pathname.
        // > For example, "/*.c" matches "cat-file.c" but not "mozilla-sha1/sha1.c".
        // A leading slash matches the beginning of the pathname
        /^\//,
        () => "^",
        SLASH
      ],
      // replace special metacharacter slash after the leading slash
      [
        /\//g,
        () => "\\/",
        SLASH
      ],
      [
        // > A leading "**" followed by a slash means match in all directories.
        // > For example, "**/foo" matches file or directory "foo" anywhere,
        // > the same as pattern "foo".
        // > "**/foo/bar" matches file or directory "bar" anywhere that is directly
        // >   under directory "foo".
        // Notice that the '*'s have been replaced as '\\*'
        /^\^*(?:\\\*\\\*\\\/)+/,
        // '**/foo' <-> 'foo'
        () => "(?:^|\\/)",
        "*"
      ],
      // starting
      [
        // there will be no leading '/'
        //   (which has been replaced by section "leading slash")
        // If starts with '**', adding a '^' to the regular expression also works
        DIRECT,
        (source, pattern) => {
          if (!source || source[0] === "^" || source[0] === "(") {
            return source;
          }
          const anchor = !REGEX_INNER_SLASH.test(pattern) ? "(?:^|\\/)" : "^";
          return anchor + source;
        }
      ],
      // two globstars
      [
        // Use lookahead assertions so that we could match more than one `'/**'`
        /\\\/\\\*\\\*(?=\\\/|$)/g,
        // Zero, one or several directories
        // should not use '*', or it will be replaced by the next replacer
        // Check if it is not the last `'/**'`
        (_, index, str) => index + 6 < str.length ? str.slice(index + 6) === "\\/" ? "(?:\\/[^\\/]+)+" : "(?:\\/[^\\/]+)*" : `\\/${TRAILING_DOUBLESTAR}`,
        "*"
      ],
      // normal intermediate wildcards
      [
        // Never replace escaped '*'
        // ignore rule '\*' will match the path '*'
        // 'abc.*/' -> go
        // 'abc.*'  -> skip this rule,
        //    coz trailing single wildcard will be handed by [trailing wildcard]
        /(^|[^\\])(?:\\\*)+(?!$)/g,
        // '*.js' matches '.js'
        // '*.js' doesn't match 'abc'
        // 1. An asterisk "*" matches anything except a slash.
        // 2. Other consecutive asterisks are considered regular asterisks
        //    and collapse into one non-slash wildcard run.
        (_, p1) => p1 + WILDCARD2,
        "*"
      ],
      // trailing wildcard, held apart from a literal star
      [
        // The step above leaves a trailing `*` alone, so a single `\*` is all that
        //   can be left at the end here, and what stands in front of it says which
        //   kind it is. A wildcard arrives as the escaper wrote it, `\*` with
        //   nothing before it; a literal arrives as the user's own escape, which
        //   the escaper doubled, and then the star's own -- `\\` and then `\*`.
        //   There is no third case: every backslash still reaching the chain is
        //   one `\*`, `\[` or `\ ` carries itself, and each is followed by its
        //   own character, so a longer run can never form. This runs while the
        //   two are still distinct, before the unescape steps below collapse the
        //   literal onto the very `\*` a wildcard leaves behind.
        /(^|[^\\])((?:\\\\)*)\\\*$/,
        (match, p1, p2) => p2 === EMPTY2 ? p1 + TRAILING_WILDCARD : match,
        "*"
      ],
      [
        // unescape, revert step 3 except for back slash
        // For example, if a user escape a '\\*',
        // after step 3, the result will be '\\\\\\*'
        /\\\\\\(?=[$.|*+(){^])/g,
        () => ESCAPE,
        ESCAPE + ESCAPE
      ],
      [
        // '\\\\' -> '\\'
        /\\\\/g,
        () => ESCAPE,
        ESCAPE + ESCAPE
      ],
      [
        // Every real bracket expression -- POSIX classes included -- has already
        //   been held aside by `extractBrackets`, so the only `[` left in the
        //   pattern is an escaped, literal one.
        // A backslash could only stand at the end of the range if it quoted the
        //   `]`, and `\]` is held aside long before this.
        /\\\[([^\]/]*?)($|\])/g,
        // '\\[bar]' -> '\\\\[bar]'
        (match, range, close2) => `\\[${range}${close2}`,
        "["
      ],
      // ending
      [
        // 'js' will not match 'js.'
        // 'ab' will not match 'abc'
        DIRECT,
        // WTF!
        // https://git-scm.com/docs/gitignore
        // changes in [2.22.1](https://git-scm.com/docs/gitignore/2.22.1)
        // which re-fixes #24, #38
        // > If there is a separator at the end of the pattern then the pattern
        // > will only match directories, otherwise the pattern can match both
        // > files and directories.
        // 'js*' will not match 'a.js'
        // 'js/' will not match 'a.js'
        // 'js' will match 'a.js' and 'a.js/'
        (source) => {
          const last2 = source[source.length - 1];
          if (!last2 || last2 === TRAILING_WILDCARD || last2 === TRAILING_DOUBLESTAR) {
            return source;
          }
          return last2 === SLASH ? `${source}$` : `${source}(?=$|\\/$)`;
        }
      ]
    ];
    var REGEX_REPLACE_TRAILING_WILDCARD = /(^|\\\/)?\uE000$/;
    var MODE_IGNORE = "regex";
    var MODE_CHECK_IGNORE = "checkRegex";
    var UNDERSCORE = "_";
    var replaceTrailingWildcard = (_, p1) => {
      const prefix = p1 ? `${p1}[^/]+` : "[^/]*";
      return `${prefix}(?=$|\\/$)`;
    };
    var REGEX_REPLACE_TRAILING_DOUBLESTAR = /\uE001$/;
    var replaceTrailingDoublestar = () => "[\\s\\S]";
    var separatorAfter = (run, at) => {
      let separator2 = EMPTY2;
      for (let index = at + 1; index < run.length && !run[index].wildcard; index++) {
        separator2 += run[index].single;
      }
      return separator2;
    };
    var pinWildcards = (source) => {
      if (source.indexOf(WILDCARD2) < 0) {
        return source;
      }
      const tokens2 = [];
      const { length } = source;
      let index = 0;
      while (index < length) {
        const char = source[index];
        if (source.startsWith(WILDCARD2, index)) {
          tokens2.push({ wildcard: true });
          index += WILDCARD2.length;
        } else if (char === "[") {
          let end = index + 1;
          if (source[end] === "^") {
            end++;
          }
          if (source[end] === "]") {
            end++;
          }
          while (end < length && source[end] !== "]") {
            end += source[end] === ESCAPE ? 2 : 1;
          }
          end++;
          tokens2.push({ single: source.slice(index, end) });
          index = end;
        } else if (char === ESCAPE) {
          tokens2.push({ single: source.slice(index, index + 2) });
          index += 2;
        } else if (char === "(") {
          let depth = 0;
          let end = index;
          do {
            if (source[end] === ESCAPE) {
              end++;
            } else if (source[end] === "(") {
              depth++;
            } else if (source[end] === ")") {
              depth--;
            }
            end++;
          } while (end < length && depth > 0);
          if ("*+?".indexOf(source[end]) >= 0) {
            end++;
          }
          tokens2.push({ boundary: source.slice(index, end) });
          index = end;
        } else if (char === "^" || char === "$") {
          tokens2.push({ boundary: char });
          index++;
        } else {
          tokens2.push({ single: char });
          index++;
        }
      }
      let out = EMPTY2;
      let run = [];
      const flush = () => {
        let lastWildcard;
        run.forEach((token, at) => {
          if (token.wildcard) {
            lastWildcard = at;
          }
        });
        run.forEach((token, at) => {
          if (!token.wildcard) {
            out += token.single;
            return;
          }
          out += at === lastWildcard ? WILDCARD2 : `(?:(?!${separatorAfter(run, at)})[^\\/])*`;
        });
        run = [];
      };
      tokens2.forEach((token) => {
        if (token.boundary === void 0) {
          run.push(token);
          return;
        }
        flush();
        out += token.boundary;
      });
      flush();
      return out;
    };
    var makeRegexPrefix = (pattern) => {
      if (REGEX_ANCHORED_GLOBSTAR.test(pattern)) {
        pattern = "**";
      }
      const { source, sources } = extractBrackets(pattern);
      const replaced = REPLACERS.reduce(
        // A pass whose matcher finds nothing hands back the very string it was
        //   given, so asking first costs a search and saves a rewrite. Ten of the
        //   fifteen passes never fire for a typical .gitignore line, and between
        //   them they were 45% of this chain.
        (prev, [matcher, replacer, required]) => {
          if (matcher === DIRECT) {
            return replacer(prev, pattern);
          }
          if (required !== UNDEFINED && prev.indexOf(required) < 0) {
            return prev;
          }
          return matcher.test(prev) ? prev.replace(matcher, replacer.bind(pattern)) : prev;
        },
        source
      );
      return sources.length ? replaced.replace(
        REGEX_RESTORE_PLACEHOLDER,
        (match, index) => sources[index]
      ) : replaced;
    };
    var checkSourceOf = (body, prefix) => {
      if (body[body.length - 1] === SLASH) {
        prefix = makeRegexPrefix(body.slice(0, -1));
      }
      const head = prefix.slice(0, -1);
      const last2 = prefix[prefix.length - 1];
      return last2 === TRAILING_WILDCARD ? `${head}$` : last2 === TRAILING_DOUBLESTAR ? head : NEVER_MATCH;
    };
    var matchesBasename = (body) => {
      const index = body.indexOf(SLASH);
      return index < 0 || index === body.length - 1;
    };
    var basenameOf = (path) => {
      const end = path.length - 1;
      const index = path.lastIndexOf(
        SLASH,
        path[end] === SLASH ? end - 1 : end
      );
      return index < 0 ? path : path.slice(index + 1);
    };
    var parentOf = (path) => {
      if (path.charCodeAt(0) === SLASH_CODE || path.indexOf(DOUBLE_SLASH) >= 0) {
        const slices = path.split(SLASH).filter(Boolean);
        slices.pop();
        return slices.length ? slices.join(SLASH) + SLASH : EMPTY2;
      }
      const end = path.length - 1;
      const cut4 = path.lastIndexOf(
        SLASH,
        path.charCodeAt(end) === SLASH_CODE ? end - 1 : end
      );
      return cut4 < 0 ? EMPTY2 : path.slice(0, cut4 + 1);
    };
    var isString2 = (subject) => typeof subject === "string";
    var checkPattern = (pattern) => pattern && isString2(pattern);
    var splitPattern = (pattern) => (pattern[pattern.length - 1] === "\r" ? pattern.slice(0, -1) : pattern).split(REGEX_SPLITALL_CRLF).filter(Boolean);
    var IgnoreRule = class {
      constructor(pattern, mark, body, ignoreCase, negative, prefix) {
        this.pattern = pattern;
        this.mark = mark;
        this.negative = negative;
        define2(this, "body", body);
        define2(this, "ignoreCase", ignoreCase);
        define2(this, "regexPrefix", prefix);
      }
      // Worked out on first use and kept behind an own property, the way `regex`
      //   caches itself in `_regex`. Deciding it in the constructor instead would
      //   add a fourth `defineProperty` to every rule ever built, which cost 4% of
      //   every compile -- including the compiles of rules that are never matched
      //   against anything.
      get _basenameOnly() {
        return define2(this, "_basenameOnly", matchesBasename(this.body));
      }
      get regex() {
        const key = UNDERSCORE + MODE_IGNORE;
        if (this[key]) {
          return this[key];
        }
        return this._make(MODE_IGNORE, key);
      }
      get checkRegex() {
        const key = UNDERSCORE + MODE_CHECK_IGNORE;
        if (this[key]) {
          return this[key];
        }
        return this._make(MODE_CHECK_IGNORE, key);
      }
      _make(mode, key) {
        const str = pinWildcards(
          mode === MODE_IGNORE ? this.regexPrefix.replace(REGEX_REPLACE_TRAILING_WILDCARD, replaceTrailingWildcard).replace(REGEX_REPLACE_TRAILING_DOUBLESTAR, replaceTrailingDoublestar) : checkSourceOf(this.body, this.regexPrefix)
        );
        const regex = this.ignoreCase ? new RegExp(str, "i") : new RegExp(str);
        return define2(this, key, regex);
      }
    };
    var hasTrailingBackslash = (str) => {
      let count = 0;
      while (str[str.length - count - 1] === ESCAPE) {
        count++;
      }
      return count % 2 === 1;
    };
    var trimEnd = (body, stripLineEnd) => {
      let lineEnd = body.length;
      let end;
      for (; ; ) {
        if (stripLineEnd && body[lineEnd - 1] === "\r") {
          lineEnd--;
        }
        end = lineEnd;
        while (body[end - 1] === SPACE) {
          end--;
        }
        if (!stripLineEnd || body[end - 1] !== "\n") {
          break;
        }
        lineEnd = end - 1;
      }
      if (end === lineEnd) {
        return body.slice(0, lineEnd);
      }
      let backslashes = 0;
      while (body[end - backslashes - 1] === ESCAPE) {
        backslashes++;
      }
      return backslashes % 2 ? body.slice(0, end - 1) + SPACE : body.slice(0, end);
    };
    var createRule = (pattern, mark, ignoreCase, stripLineEnd, stripBOM) => {
      let body = stripBOM && pattern[0] === BOM ? pattern.slice(1) : pattern;
      if (body[0] === "#") {
        return;
      }
      let negative = false;
      if (body[0] === "!") {
        negative = true;
        body = body.slice(1);
      }
      const last2 = body[body.length - 1];
      if (last2 === SPACE || stripLineEnd && (last2 === "\r" || last2 === "\n")) {
        body = trimEnd(body, stripLineEnd);
      }
      if (!body || hasTrailingBackslash(body)) {
        return;
      }
      body = body.replace(REGEX_REPLACE_LEADING_EXCAPED_EXCLAMATION, "!").replace(REGEX_REPLACE_LEADING_EXCAPED_HASH, "#");
      const regexPrefix = makeRegexPrefix(body);
      return new IgnoreRule(
        pattern,
        mark,
        body,
        ignoreCase,
        negative,
        regexPrefix
      );
    };
    var RuleManager = class {
      constructor(ignoreCase) {
        this._ignoreCase = ignoreCase;
        this._rules = [];
        this._basenameCount = 0;
      }
      _add(pattern, index) {
        if (pattern && pattern[KEY_IGNORE]) {
          this._rules = this._rules.concat(pattern._rules._rules);
          this._basenameCount += pattern._rules._basenameCount;
          this._added = true;
          return;
        }
        const isStr = isString2(pattern);
        const raw = isStr ? pattern : pattern.pattern;
        const rule = checkPattern(raw) && createRule(
          raw,
          isStr ? UNDEFINED : pattern.mark,
          this._ignoreCase,
          !this._split,
          this._stripBOM && !index
        );
        if (rule) {
          this._added = true;
          this._rules.push(rule);
          if (matchesBasename(rule.body)) {
            this._basenameCount++;
          }
        }
      }
      // @param {Array<string> | string | Ignore} pattern
      add(pattern) {
        this._added = false;
        this._split = isString2(pattern);
        this._stripBOM = !this._split || pattern[0] === BOM;
        makeArray(
          this._split ? splitPattern(pattern) : pattern
        ).forEach(this._add, this);
        if (this._added) {
          this._literalRules = UNDEFINED;
        }
        return this._added;
      }
      // Match the literal 'abc/' for `checkIgnore`, last rule wins. Only a rule
      //   ending in a wildcard can match it (see `checkSourceOf`), so the rest
      //   are left out once, rather than tested or compiled for every path.
      testLiteral(path) {
        const rules2 = this._literalRules || (this._literalRules = this._rules.filter(
          ({ body }) => body[body.length - (body[body.length - 1] === SLASH ? 2 : 1)] === "*"
        ));
        let ignored = false;
        let unignored = false;
        let matchedRule;
        for (let index = rules2.length - 1; index >= 0; index--) {
          const rule = rules2[index];
          if (rule.checkRegex.test(path)) {
            ignored = !rule.negative;
            unignored = rule.negative;
            matchedRule = rule.negative ? UNDEFINED : rule;
            break;
          }
        }
        const ret = {
          ignored,
          unignored
        };
        if (matchedRule) {
          ret.rule = matchedRule;
        }
        return ret;
      }
      // Test one single path without recursively checking parent directories
      //
      // - mode `string` either `MODE_IGNORE` or `MODE_CHECK_IGNORE`
      // @returns {TestResult}
      test(path, mode) {
        const rules2 = this._rules;
        const { length } = rules2;
        const shortcut = this._basenameCount * 2 >= length;
        const basename = shortcut ? basenameOf(path) : path;
        for (let index = length - 1; index >= 0; index--) {
          const rule = rules2[index];
          if (rule[mode].test(
            shortcut && rule._basenameOnly ? basename : path
          )) {
            const { negative } = rule;
            const ret = {
              ignored: !negative,
              unignored: negative
            };
            if (!negative) {
              ret.rule = rule;
            }
            return ret;
          }
        }
        return {
          ignored: false,
          unignored: false
        };
      }
    };
    var throwError = (message, Ctor) => {
      throw new Ctor(message);
    };
    var checkPath = (path, originalPath, doThrow) => {
      if (!isString2(path)) {
        return doThrow(
          `path must be a string, but got \`${originalPath}\``,
          TypeError
        );
      }
      if (!path) {
        return doThrow(`path must not be empty`, TypeError);
      }
      if (checkPath.isNotRelative(path)) {
        const r = "`path.relative()`d";
        return doThrow(
          `path should be a ${r} string, but got "${originalPath}"`,
          RangeError
        );
      }
      return true;
    };
    var isNotRelative = (path) => {
      const first = path.charCodeAt(0);
      if (first === SLASH_CODE) {
        return true;
      }
      if (first !== DOT_CODE) {
        return false;
      }
      if (path.length === 1) {
        return true;
      }
      const second = path.charCodeAt(1);
      if (second === SLASH_CODE) {
        return true;
      }
      if (second !== DOT_CODE) {
        return false;
      }
      return path.length === 2 || path.charCodeAt(2) === SLASH_CODE;
    };
    checkPath.isNotRelative = isNotRelative;
    checkPath.convert = (p) => p;
    var convertPath = (target) => isString2(target) && checkPath.convert(target);
    var Ignore = class {
      constructor({
        ignorecase = true,
        ignoreCase = ignorecase,
        allowRelativePaths = false
      } = {}) {
        define2(this, KEY_IGNORE, true);
        this._rules = new RuleManager(ignoreCase);
        this._strictPathCheck = !allowRelativePaths;
        this._initCache();
      }
      _initCache() {
        this._ignoreCache = /* @__PURE__ */ Object.create(null);
        this._testCache = /* @__PURE__ */ Object.create(null);
      }
      add(pattern) {
        if (this._rules.add(pattern)) {
          this._initCache();
        }
        return this;
      }
      // legacy
      addPattern(pattern) {
        return this.add(pattern);
      }
      // @returns {TestResult}
      _test(originalPath, cache, path) {
        checkPath(
          path,
          originalPath,
          this._strictPathCheck ? throwError : RETURN_FALSE
        );
        return path ? this._t(path, cache) : {
          ignored: false,
          unignored: false
        };
      }
      checkIgnore(target) {
        const path = convertPath(target);
        if (!path || path.charCodeAt(path.length - 1) !== SLASH_CODE) {
          return this._test(target, this._testCache, path);
        }
        const dir = this._t(path, this._testCache);
        if (dir.ignored) {
          return dir;
        }
        const literal = this._rules.testLiteral(path);
        return literal.ignored || literal.unignored ? literal : dir;
      }
      _t(path, cache) {
        if (path in cache) {
          return cache[path];
        }
        const parentPath = parentOf(path);
        const parent = parentPath ? this._t(parentPath, cache) : UNDEFINED;
        return cache[path] = parent && parent.ignored ? parent : this._rules.test(path, MODE_IGNORE);
      }
      ignores(path) {
        return this._test(path, this._ignoreCache, convertPath(path)).ignored;
      }
      createFilter() {
        return (path) => !this.ignores(path);
      }
      filter(paths) {
        return makeArray(paths).filter(this.createFilter());
      }
      // @returns {TestResult}
      test(path) {
        return this._test(path, this._testCache, convertPath(path));
      }
    };
    var factory = (options2) => new Ignore(options2);
    var isPathValid = (path) => checkPath(convertPath(path), path, RETURN_FALSE);
    var setupWindows = () => {
      const makePosix = (str) => /^\\\\\?\\/.test(str) || /["<>|\u0000-\u001F]+/u.test(str) ? str : str.replace(/\\/g, "/");
      checkPath.convert = makePosix;
      const REGEX_TEST_WINDOWS_PATH_ABSOLUTE = /^[a-z]:\//i;
      checkPath.isNotRelative = (path) => REGEX_TEST_WINDOWS_PATH_ABSOLUTE.test(path) || isNotRelative(path);
    };
    if (
      // Detect `process` so that it can run in browsers.
      typeof process !== "undefined" && process.platform === "win32"
    ) {
      setupWindows();
    }
    module2.exports = factory;
    factory.default = factory;
    module2.exports.isPathValid = isPathValid;
    define2(module2.exports, /* @__PURE__ */ Symbol.for("setupWindows"), setupWindows);
  }
});

// ../../../../work/main/node_modules/picomatch/lib/constants.js
var require_constants = __commonJS({
  "../../../../work/main/node_modules/picomatch/lib/constants.js"(exports, module2) {
    "use strict";
    var WIN_SLASH = "\\\\/";
    var WIN_NO_SLASH = `[^${WIN_SLASH}]`;
    var DEFAULT_MAX_EXTGLOB_RECURSION = 0;
    var DOT_LITERAL = "\\.";
    var PLUS_LITERAL = "\\+";
    var QMARK_LITERAL = "\\?";
    var SLASH_LITERAL = "\\/";
    var ONE_CHAR = "(?=.)";
    var QMARK = "[^/]";
    var END_ANCHOR = `(?:${SLASH_LITERAL}|$)`;
    var START_ANCHOR = `(?:^|${SLASH_LITERAL})`;
    var DOTS_SLASH = `${DOT_LITERAL}{1,2}${END_ANCHOR}`;
    var NO_DOT = `(?!${DOT_LITERAL})`;
    var NO_DOTS = `(?!${START_ANCHOR}${DOTS_SLASH})`;
    var NO_DOT_SLASH = `(?!${DOT_LITERAL}{0,1}${END_ANCHOR})`;
    var NO_DOTS_SLASH = `(?!${DOTS_SLASH})`;
    var QMARK_NO_DOT = `[^.${SLASH_LITERAL}]`;
    var STAR = `${QMARK}*?`;
    var SEP = "/";
    var POSIX_CHARS = {
      DOT_LITERAL,
      PLUS_LITERAL,
      QMARK_LITERAL,
      SLASH_LITERAL,
      ONE_CHAR,
      QMARK,
      END_ANCHOR,
      DOTS_SLASH,
      NO_DOT,
      NO_DOTS,
      NO_DOT_SLASH,
      NO_DOTS_SLASH,
      QMARK_NO_DOT,
      STAR,
      START_ANCHOR,
      SEP
    };
    var WINDOWS_CHARS = {
      ...POSIX_CHARS,
      SLASH_LITERAL: `[${WIN_SLASH}]`,
      QMARK: WIN_NO_SLASH,
      STAR: `${WIN_NO_SLASH}*?`,
      DOTS_SLASH: `${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$)`,
      NO_DOT: `(?!${DOT_LITERAL})`,
      NO_DOTS: `(?!(?:^|[${WIN_SLASH}])${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
      NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}(?:[${WIN_SLASH}]|$))`,
      NO_DOTS_SLASH: `(?!${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
      QMARK_NO_DOT: `[^.${WIN_SLASH}]`,
      START_ANCHOR: `(?:^|[${WIN_SLASH}])`,
      END_ANCHOR: `(?:[${WIN_SLASH}]|$)`,
      SEP: "\\"
    };
    var POSIX_REGEX_SOURCE = {
      __proto__: null,
      alnum: "a-zA-Z0-9",
      alpha: "a-zA-Z",
      ascii: "\\x00-\\x7F",
      blank: " \\t",
      cntrl: "\\x00-\\x1F\\x7F",
      digit: "0-9",
      graph: "\\x21-\\x7E",
      lower: "a-z",
      print: "\\x20-\\x7E ",
      punct: "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~",
      space: " \\t\\r\\n\\v\\f",
      upper: "A-Z",
      word: "A-Za-z0-9_",
      xdigit: "A-Fa-f0-9"
    };
    module2.exports = {
      DEFAULT_MAX_EXTGLOB_RECURSION,
      MAX_LENGTH: 1024 * 64,
      POSIX_REGEX_SOURCE,
      // regular expressions
      REGEX_BACKSLASH: /\\(?![*+?^${}(|)[\]])/g,
      REGEX_NON_SPECIAL_CHARS: /^[^@![\].,$*+?^{}()|\\/]+/,
      REGEX_SPECIAL_CHARS: /[-*+?.^${}(|)[\]]/,
      REGEX_SPECIAL_CHARS_BACKREF: /(\\?)((\W)(\3*))/g,
      REGEX_SPECIAL_CHARS_GLOBAL: /([-*+?.^${}(|)[\]])/g,
      REGEX_REMOVE_BACKSLASH: /(?:\[.*?[^\\]\]|\\(?=.))/g,
      // Replace globs with equivalent patterns to reduce parsing time.
      REPLACEMENTS: {
        __proto__: null,
        "***": "*",
        "**/**": "**",
        "**/**/**": "**"
      },
      // Digits
      CHAR_0: 48,
      /* 0 */
      CHAR_9: 57,
      /* 9 */
      // Alphabet chars.
      CHAR_UPPERCASE_A: 65,
      /* A */
      CHAR_LOWERCASE_A: 97,
      /* a */
      CHAR_UPPERCASE_Z: 90,
      /* Z */
      CHAR_LOWERCASE_Z: 122,
      /* z */
      CHAR_LEFT_PARENTHESES: 40,
      /* ( */
      CHAR_RIGHT_PARENTHESES: 41,
      /* ) */
      CHAR_ASTERISK: 42,
      /* * */
      // Non-alphabetic chars.
      CHAR_AMPERSAND: 38,
      /* & */
      CHAR_AT: 64,
      /* @ */
      CHAR_BACKWARD_SLASH: 92,
      /* \ */
      CHAR_CARRIAGE_RETURN: 13,
      /* \r */
      CHAR_CIRCUMFLEX_ACCENT: 94,
      /* ^ */
      CHAR_COLON: 58,
      /* : */
      CHAR_COMMA: 44,
      /* , */
      CHAR_DOT: 46,
      /* . */
      CHAR_DOUBLE_QUOTE: 34,
      /* " */
      CHAR_EQUAL: 61,
      /* = */
      CHAR_EXCLAMATION_MARK: 33,
      /* ! */
      CHAR_FORM_FEED: 12,
      /* \f */
      CHAR_FORWARD_SLASH: 47,
      /* / */
      CHAR_GRAVE_ACCENT: 96,
      /* ` */
      CHAR_HASH: 35,
      /* # */
      CHAR_HYPHEN_MINUS: 45,
      /* - */
      CHAR_LEFT_ANGLE_BRACKET: 60,
      /* < */
      CHAR_LEFT_CURLY_BRACE: 123,
      /* { */
      CHAR_LEFT_SQUARE_BRACKET: 91,
      /* [ */
      CHAR_LINE_FEED: 10,
      /* \n */
      CHAR_NO_BREAK_SPACE: 160,
      /* \u00A0 */
      CHAR_PERCENT: 37,
      /* % */
      CHAR_PLUS: 43,
      /* + */
      CHAR_QUESTION_MARK: 63,
      /* ? */
      CHAR_RIGHT_ANGLE_BRACKET: 62,
      /* > */
      CHAR_RIGHT_CURLY_BRACE: 125,
      /* } */
      CHAR_RIGHT_SQUARE_BRACKET: 93,
      /* ] */
      CHAR_SEMICOLON: 59,
      /* ; */
      CHAR_SINGLE_QUOTE: 39,
      /* ' */
      CHAR_SPACE: 32,
      /*   */
      CHAR_TAB: 9,
      /* \t */
      CHAR_UNDERSCORE: 95,
      /* _ */
      CHAR_VERTICAL_LINE: 124,
      /* | */
      CHAR_ZERO_WIDTH_NOBREAK_SPACE: 65279,
      /* \uFEFF */
      /**
       * Create EXTGLOB_CHARS
       */
      extglobChars(chars) {
        return {
          "!": { type: "negate", open: "(?:(?!(?:", close: `))${chars.STAR})` },
          "?": { type: "qmark", open: "(?:", close: ")?" },
          "+": { type: "plus", open: "(?:", close: ")+" },
          "*": { type: "star", open: "(?:", close: ")*" },
          "@": { type: "at", open: "(?:", close: ")" }
        };
      },
      /**
       * Create GLOB_CHARS
       */
      globChars(win322) {
        return win322 === true ? WINDOWS_CHARS : POSIX_CHARS;
      }
    };
  }
});

// ../../../../work/main/node_modules/picomatch/lib/utils.js
var require_utils = __commonJS({
  "../../../../work/main/node_modules/picomatch/lib/utils.js"(exports) {
    "use strict";
    var {
      REGEX_BACKSLASH,
      REGEX_REMOVE_BACKSLASH,
      REGEX_SPECIAL_CHARS,
      REGEX_SPECIAL_CHARS_GLOBAL
    } = require_constants();
    exports.isObject = (val) => val !== null && typeof val === "object" && !Array.isArray(val);
    exports.hasRegexChars = (str) => REGEX_SPECIAL_CHARS.test(str);
    exports.isRegexChar = (str) => str.length === 1 && exports.hasRegexChars(str);
    exports.escapeRegex = (str) => str.replace(REGEX_SPECIAL_CHARS_GLOBAL, "\\$1");
    exports.toPosixSlashes = (str) => str.replace(REGEX_BACKSLASH, "/");
    exports.isWindows = () => {
      if (typeof navigator !== "undefined" && navigator.platform) {
        const platform = navigator.platform.toLowerCase();
        return platform === "win32" || platform === "windows";
      }
      if (typeof process !== "undefined" && process.platform) {
        return process.platform === "win32";
      }
      return false;
    };
    exports.removeBackslashes = (str) => {
      return str.replace(REGEX_REMOVE_BACKSLASH, (match) => {
        return match === "\\" ? "" : match;
      });
    };
    exports.escapeLast = (input, char, lastIdx) => {
      const idx = input.lastIndexOf(char, lastIdx);
      if (idx === -1) return input;
      if (input[idx - 1] === "\\") return exports.escapeLast(input, char, idx - 1);
      return `${input.slice(0, idx)}\\${input.slice(idx)}`;
    };
    exports.removePrefix = (input, state = {}) => {
      let output = input;
      if (output.startsWith("./")) {
        output = output.slice(2);
        state.prefix = "./";
      }
      return output;
    };
    exports.wrapOutput = (input, state = {}, options2 = {}) => {
      const prepend = options2.contains ? "" : "^";
      const append = options2.contains ? "" : "$";
      let output = `${prepend}(?:${input})${append}`;
      if (state.negated === true) {
        output = `(?:^(?!${output}).*$)`;
      }
      return output;
    };
    exports.basename = (path, { windows } = {}) => {
      const segs = path.split(windows ? /[\\/]/ : "/");
      const last2 = segs[segs.length - 1];
      if (last2 === "") {
        return segs[segs.length - 2];
      }
      return last2;
    };
  }
});

// ../../../../work/main/node_modules/picomatch/lib/scan.js
var require_scan = __commonJS({
  "../../../../work/main/node_modules/picomatch/lib/scan.js"(exports, module2) {
    "use strict";
    var utils = require_utils();
    var {
      CHAR_ASTERISK,
      /* * */
      CHAR_AT,
      /* @ */
      CHAR_BACKWARD_SLASH,
      /* \ */
      CHAR_COMMA,
      /* , */
      CHAR_DOT,
      /* . */
      CHAR_EXCLAMATION_MARK,
      /* ! */
      CHAR_FORWARD_SLASH,
      /* / */
      CHAR_LEFT_CURLY_BRACE,
      /* { */
      CHAR_LEFT_PARENTHESES,
      /* ( */
      CHAR_LEFT_SQUARE_BRACKET,
      /* [ */
      CHAR_PLUS,
      /* + */
      CHAR_QUESTION_MARK,
      /* ? */
      CHAR_RIGHT_CURLY_BRACE,
      /* } */
      CHAR_RIGHT_PARENTHESES,
      /* ) */
      CHAR_RIGHT_SQUARE_BRACKET
      /* ] */
    } = require_constants();
    var isPathSeparator = (code) => {
      return code === CHAR_FORWARD_SLASH || code === CHAR_BACKWARD_SLASH;
    };
    var depth = (token) => {
      if (token.isPrefix !== true) {
        token.depth = token.isGlobstar ? Infinity : 1;
      }
    };
    var scan = (input, options2) => {
      const opts = options2 || {};
      const length = input.length - 1;
      const scanToEnd = opts.parts === true || opts.tokens === true || opts.scanToEnd === true;
      const slashes = [];
      const tokens2 = [];
      const parts = [];
      let str = input;
      let index = -1;
      let start = 0;
      let lastIndex = 0;
      let isBrace = false;
      let isBracket = false;
      let isGlob = false;
      let isExtglob = false;
      let isGlobstar = false;
      let braceEscaped = false;
      let backslashes = false;
      let negated = false;
      let negatedExtglob = false;
      let finished = false;
      let braces = 0;
      let prev;
      let code;
      let token = { value: "", depth: 0, isGlob: false };
      const eos = () => index >= length;
      const peek = () => str.charCodeAt(index + 1);
      const advance = () => {
        prev = code;
        return str.charCodeAt(++index);
      };
      while (index < length) {
        code = advance();
        let next;
        if (code === CHAR_BACKWARD_SLASH) {
          backslashes = token.backslashes = true;
          code = advance();
          if (code === CHAR_LEFT_CURLY_BRACE) {
            braceEscaped = true;
          }
          continue;
        }
        if (braceEscaped === true || code === CHAR_LEFT_CURLY_BRACE) {
          braces++;
          while (eos() !== true && (code = advance())) {
            if (code === CHAR_BACKWARD_SLASH) {
              backslashes = token.backslashes = true;
              advance();
              continue;
            }
            if (code === CHAR_LEFT_CURLY_BRACE) {
              braces++;
              continue;
            }
            if (braceEscaped !== true && code === CHAR_DOT && (code = advance()) === CHAR_DOT) {
              isBrace = token.isBrace = true;
              isGlob = token.isGlob = true;
              finished = true;
              if (scanToEnd === true) {
                continue;
              }
              break;
            }
            if (braceEscaped !== true && code === CHAR_COMMA) {
              isBrace = token.isBrace = true;
              isGlob = token.isGlob = true;
              finished = true;
              if (scanToEnd === true) {
                continue;
              }
              break;
            }
            if (code === CHAR_RIGHT_CURLY_BRACE) {
              braces--;
              if (braces === 0) {
                braceEscaped = false;
                isBrace = token.isBrace = true;
                finished = true;
                break;
              }
            }
          }
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (code === CHAR_FORWARD_SLASH) {
          slashes.push(index);
          tokens2.push(token);
          token = { value: "", depth: 0, isGlob: false };
          if (finished === true) continue;
          if (prev === CHAR_DOT && index === start + 1) {
            start += 2;
            continue;
          }
          lastIndex = index + 1;
          continue;
        }
        if (opts.noext !== true) {
          const isExtglobChar = code === CHAR_PLUS || code === CHAR_AT || code === CHAR_ASTERISK || code === CHAR_QUESTION_MARK || code === CHAR_EXCLAMATION_MARK;
          if (isExtglobChar === true && peek() === CHAR_LEFT_PARENTHESES) {
            isGlob = token.isGlob = true;
            isExtglob = token.isExtglob = true;
            finished = true;
            if (code === CHAR_EXCLAMATION_MARK && index === start) {
              negatedExtglob = true;
            }
            if (scanToEnd === true) {
              let parens = 0;
              while (eos() !== true && (code = advance())) {
                if (code === CHAR_BACKWARD_SLASH) {
                  backslashes = token.backslashes = true;
                  advance();
                  continue;
                }
                if (code === CHAR_LEFT_PARENTHESES) {
                  parens++;
                  continue;
                }
                if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
                  finished = true;
                  break;
                }
              }
              continue;
            }
            break;
          }
        }
        if (code === CHAR_ASTERISK) {
          if (prev === CHAR_ASTERISK) isGlobstar = token.isGlobstar = true;
          isGlob = token.isGlob = true;
          finished = true;
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (code === CHAR_QUESTION_MARK) {
          isGlob = token.isGlob = true;
          finished = true;
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (code === CHAR_LEFT_SQUARE_BRACKET) {
          while (eos() !== true && (next = advance())) {
            if (next === CHAR_BACKWARD_SLASH) {
              backslashes = token.backslashes = true;
              advance();
              continue;
            }
            if (next === CHAR_RIGHT_SQUARE_BRACKET) {
              isBracket = token.isBracket = true;
              isGlob = token.isGlob = true;
              finished = true;
              break;
            }
          }
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
        if (opts.nonegate !== true && code === CHAR_EXCLAMATION_MARK && index === start) {
          negated = token.negated = true;
          start++;
          continue;
        }
        if (opts.noparen !== true && code === CHAR_LEFT_PARENTHESES) {
          isGlob = token.isGlob = true;
          if (scanToEnd === true) {
            let parens = 1;
            while (eos() !== true && (code = advance())) {
              if (code === CHAR_BACKWARD_SLASH) {
                backslashes = token.backslashes = true;
                advance();
                continue;
              }
              if (code === CHAR_LEFT_PARENTHESES) {
                parens++;
                continue;
              }
              if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
                finished = true;
                break;
              }
            }
            continue;
          }
          break;
        }
        if (isGlob === true) {
          finished = true;
          if (scanToEnd === true) {
            continue;
          }
          break;
        }
      }
      if (opts.noext === true) {
        isExtglob = false;
        isGlob = false;
      }
      let base = str;
      let prefix = "";
      let glob = "";
      if (start > 0) {
        prefix = str.slice(0, start);
        str = str.slice(start);
        lastIndex -= start;
      }
      if (base && isGlob === true && lastIndex > 0) {
        base = str.slice(0, lastIndex);
        glob = str.slice(lastIndex);
      } else if (isGlob === true) {
        base = "";
        glob = str;
      } else {
        base = str;
      }
      if (base && base !== "" && base !== "/" && base !== str) {
        if (isPathSeparator(base.charCodeAt(base.length - 1))) {
          base = base.slice(0, -1);
        }
      }
      if (opts.unescape === true) {
        if (glob) glob = utils.removeBackslashes(glob);
        if (base && backslashes === true) {
          base = utils.removeBackslashes(base);
        }
      }
      const state = {
        prefix,
        input,
        start,
        base,
        glob,
        isBrace,
        isBracket,
        isGlob,
        isExtglob,
        isGlobstar,
        negated,
        negatedExtglob
      };
      if (opts.tokens === true) {
        state.maxDepth = 0;
        if (!isPathSeparator(code)) {
          tokens2.push(token);
        }
        state.tokens = tokens2;
      }
      if (opts.parts === true || opts.tokens === true) {
        let prevIndex;
        for (let idx = 0; idx < slashes.length; idx++) {
          const n2 = prevIndex !== void 0 ? prevIndex + 1 : start;
          const i = slashes[idx];
          const value2 = input.slice(n2, i);
          if (opts.tokens) {
            if (idx === 0 && start !== 0) {
              tokens2[idx].isPrefix = true;
              tokens2[idx].value = prefix;
            } else {
              tokens2[idx].value = value2;
            }
            depth(tokens2[idx]);
            state.maxDepth += tokens2[idx].depth;
          }
          if (i >= start) {
            parts.push(value2);
            prevIndex = i;
          }
        }
        const n = prevIndex !== void 0 ? prevIndex + 1 : start;
        const value = input.slice(n);
        parts.push(value);
        if (opts.tokens && prevIndex && prevIndex + 1 < input.length) {
          tokens2[tokens2.length - 1].value = value;
          depth(tokens2[tokens2.length - 1]);
          state.maxDepth += tokens2[tokens2.length - 1].depth;
        }
        state.slashes = slashes;
        state.parts = parts;
      }
      return state;
    };
    module2.exports = scan;
  }
});

// ../../../../work/main/node_modules/picomatch/lib/parse.js
var require_parse = __commonJS({
  "../../../../work/main/node_modules/picomatch/lib/parse.js"(exports, module2) {
    "use strict";
    var constants2 = require_constants();
    var utils = require_utils();
    var {
      MAX_LENGTH,
      POSIX_REGEX_SOURCE,
      REGEX_NON_SPECIAL_CHARS,
      REGEX_SPECIAL_CHARS_BACKREF,
      REPLACEMENTS
    } = constants2;
    var expandRange = (args, options2) => {
      if (typeof options2.expandRange === "function") {
        return options2.expandRange(...args, options2);
      }
      args.sort();
      const value = `[${args.join("-")}]`;
      try {
        new RegExp(value);
      } catch (ex) {
        return args.map((v) => utils.escapeRegex(v)).join("..");
      }
      return value;
    };
    var syntaxError = (type, char) => {
      return `Missing ${type}: "${char}" - use "\\\\${char}" to match literal characters`;
    };
    var splitTopLevel = (input) => {
      const parts = [];
      let bracket = 0;
      let paren = 0;
      let quote = 0;
      let value = "";
      let escaped = false;
      for (const ch of input) {
        if (escaped === true) {
          value += ch;
          escaped = false;
          continue;
        }
        if (ch === "\\") {
          value += ch;
          escaped = true;
          continue;
        }
        if (ch === '"') {
          quote = quote === 1 ? 0 : 1;
          value += ch;
          continue;
        }
        if (quote === 0) {
          if (ch === "[") {
            bracket++;
          } else if (ch === "]" && bracket > 0) {
            bracket--;
          } else if (bracket === 0) {
            if (ch === "(") {
              paren++;
            } else if (ch === ")" && paren > 0) {
              paren--;
            } else if (ch === "|" && paren === 0) {
              parts.push(value);
              value = "";
              continue;
            }
          }
        }
        value += ch;
      }
      parts.push(value);
      return parts;
    };
    var isPlainBranch = (branch) => {
      let escaped = false;
      for (const ch of branch) {
        if (escaped === true) {
          escaped = false;
          continue;
        }
        if (ch === "\\") {
          escaped = true;
          continue;
        }
        if (/[?*+@!()[\]{}]/.test(ch)) {
          return false;
        }
      }
      return true;
    };
    var normalizeSimpleBranch = (branch) => {
      let value = branch.trim();
      let changed = true;
      while (changed === true) {
        changed = false;
        if (/^@\([^\\()[\]{}|]+\)$/.test(value)) {
          value = value.slice(2, -1);
          changed = true;
        }
      }
      if (!isPlainBranch(value)) {
        return;
      }
      return value.replace(/\\(.)/g, "$1");
    };
    var hasRepeatedCharPrefixOverlap = (branches) => {
      const values = branches.map(normalizeSimpleBranch).filter(Boolean);
      for (let i = 0; i < values.length; i++) {
        for (let j = i + 1; j < values.length; j++) {
          const a = values[i];
          const b = values[j];
          const char = a[0];
          if (!char || a !== char.repeat(a.length) || b !== char.repeat(b.length)) {
            continue;
          }
          if (a === b || a.startsWith(b) || b.startsWith(a)) {
            return true;
          }
        }
      }
      return false;
    };
    var parseRepeatedExtglob = (pattern, requireEnd = true) => {
      if (pattern[0] !== "+" && pattern[0] !== "*" || pattern[1] !== "(") {
        return;
      }
      let bracket = 0;
      let paren = 0;
      let quote = 0;
      let escaped = false;
      for (let i = 1; i < pattern.length; i++) {
        const ch = pattern[i];
        if (escaped === true) {
          escaped = false;
          continue;
        }
        if (ch === "\\") {
          escaped = true;
          continue;
        }
        if (ch === '"') {
          quote = quote === 1 ? 0 : 1;
          continue;
        }
        if (quote === 1) {
          continue;
        }
        if (ch === "[") {
          bracket++;
          continue;
        }
        if (ch === "]" && bracket > 0) {
          bracket--;
          continue;
        }
        if (bracket > 0) {
          continue;
        }
        if (ch === "(") {
          paren++;
          continue;
        }
        if (ch === ")") {
          paren--;
          if (paren === 0) {
            if (requireEnd === true && i !== pattern.length - 1) {
              return;
            }
            return {
              type: pattern[0],
              body: pattern.slice(2, i),
              end: i
            };
          }
        }
      }
    };
    var buildCharClassStar = (chars) => {
      const source = chars.length === 1 ? utils.escapeRegex(chars[0]) : `[${chars.map((ch) => utils.escapeRegex(ch)).join("")}]`;
      return `${source}*`;
    };
    var getStarExtglobSequenceChars = (pattern) => {
      let index = 0;
      const chars = [];
      while (index < pattern.length) {
        const match = parseRepeatedExtglob(pattern.slice(index), false);
        if (!match || match.type !== "*") {
          return;
        }
        const branches = splitTopLevel(match.body).map((branch2) => branch2.trim());
        if (branches.length !== 1) {
          return;
        }
        const branch = normalizeSimpleBranch(branches[0]);
        if (!branch || branch.length !== 1) {
          return;
        }
        chars.push(branch);
        index += match.end + 1;
      }
      if (chars.length < 1) {
        return;
      }
      return chars;
    };
    var repeatedExtglobRecursion = (pattern) => {
      let depth = 0;
      let value = pattern.trim();
      let match = parseRepeatedExtglob(value);
      while (match) {
        depth++;
        value = match.body.trim();
        match = parseRepeatedExtglob(value);
      }
      return depth;
    };
    var analyzeRepeatedExtglob = (body, options2) => {
      if (options2.maxExtglobRecursion === false) {
        return { risky: false };
      }
      const max = typeof options2.maxExtglobRecursion === "number" ? options2.maxExtglobRecursion : constants2.DEFAULT_MAX_EXTGLOB_RECURSION;
      const branches = splitTopLevel(body).map((branch) => branch.trim());
      if (branches.length > 1) {
        if (branches.some((branch) => branch === "") || branches.some((branch) => /^[*?]+$/.test(branch)) || hasRepeatedCharPrefixOverlap(branches)) {
          return { risky: true };
        }
      }
      const safeChars = [];
      let sawStarSequence = false;
      let combinable = true;
      for (const branch of branches) {
        const chars = getStarExtglobSequenceChars(branch);
        if (chars) {
          sawStarSequence = true;
          safeChars.push(...chars);
          continue;
        }
        const literal = normalizeSimpleBranch(branch);
        if (literal && literal.length === 1) {
          safeChars.push(literal);
          continue;
        }
        combinable = false;
        if (repeatedExtglobRecursion(branch) > max) {
          return { risky: true };
        }
      }
      if (sawStarSequence) {
        return combinable ? { risky: true, safeOutput: buildCharClassStar([...new Set(safeChars)]) } : { risky: true };
      }
      return { risky: false };
    };
    var parse2 = (input, options2) => {
      if (typeof input !== "string") {
        throw new TypeError("Expected a string");
      }
      input = REPLACEMENTS[input] || input;
      const opts = { ...options2 };
      const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
      let len = input.length;
      if (len > max) {
        throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
      }
      const bos = { type: "bos", value: "", output: opts.prepend || "" };
      const tokens2 = [bos];
      const capture = opts.capture ? "" : "?:";
      const PLATFORM_CHARS = constants2.globChars(opts.windows);
      const EXTGLOB_CHARS = constants2.extglobChars(PLATFORM_CHARS);
      const {
        DOT_LITERAL,
        PLUS_LITERAL,
        SLASH_LITERAL,
        ONE_CHAR,
        DOTS_SLASH,
        NO_DOT,
        NO_DOT_SLASH,
        NO_DOTS_SLASH,
        QMARK,
        QMARK_NO_DOT,
        STAR,
        START_ANCHOR
      } = PLATFORM_CHARS;
      const globstar = (opts2) => {
        return `(${capture}(?:(?!${START_ANCHOR}${opts2.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
      };
      const nodot = opts.dot ? "" : NO_DOT;
      const qmarkNoDot = opts.dot ? QMARK : QMARK_NO_DOT;
      let star = opts.bash === true ? globstar(opts) : STAR;
      if (opts.capture) {
        star = `(${star})`;
      }
      if (typeof opts.noext === "boolean") {
        opts.noextglob = opts.noext;
      }
      const state = {
        input,
        index: -1,
        start: 0,
        dot: opts.dot === true,
        consumed: "",
        output: "",
        prefix: "",
        backtrack: false,
        negated: false,
        brackets: 0,
        braces: 0,
        parens: 0,
        quotes: 0,
        globstar: false,
        tokens: tokens2
      };
      input = utils.removePrefix(input, state);
      len = input.length;
      const extglobs = [];
      const braces = [];
      const stack = [];
      let prev = bos;
      let value;
      const eos = () => state.index === len - 1;
      const peek = state.peek = (n = 1) => input[state.index + n];
      const advance = state.advance = () => input[++state.index] || "";
      const remaining = () => input.slice(state.index + 1);
      const consume = (value2 = "", num = 0) => {
        state.consumed += value2;
        state.index += num;
      };
      const append = (token) => {
        state.output += token.output != null ? token.output : token.value;
        consume(token.value);
      };
      const negate = () => {
        let count = 1;
        while (peek() === "!" && (peek(2) !== "(" || peek(3) === "?")) {
          advance();
          state.start++;
          count++;
        }
        if (count % 2 === 0) {
          return false;
        }
        state.negated = true;
        state.start++;
        return true;
      };
      const increment = (type) => {
        state[type]++;
        stack.push(type);
      };
      const decrement = (type) => {
        state[type]--;
        stack.pop();
      };
      const push = (tok) => {
        if (prev.type === "globstar") {
          const isBrace = state.braces > 0 && (tok.type === "comma" || tok.type === "brace");
          const isExtglob = tok.extglob === true || extglobs.length && (tok.type === "pipe" || tok.type === "paren");
          if (tok.type !== "slash" && tok.type !== "paren" && !isBrace && !isExtglob) {
            state.output = state.output.slice(0, -prev.output.length);
            prev.type = "star";
            prev.value = "*";
            prev.output = star;
            state.output += prev.output;
          }
        }
        if (extglobs.length && tok.type !== "paren") {
          extglobs[extglobs.length - 1].inner += tok.value;
        }
        if (tok.value || tok.output) append(tok);
        if (prev && prev.type === "text" && tok.type === "text") {
          prev.output = (prev.output || prev.value) + tok.value;
          prev.value += tok.value;
          return;
        }
        tok.prev = prev;
        tokens2.push(tok);
        prev = tok;
      };
      const extglobOpen = (type, value2) => {
        const token = { ...EXTGLOB_CHARS[value2], conditions: 1, inner: "" };
        token.prev = prev;
        token.parens = state.parens;
        token.output = state.output;
        token.startIndex = state.index;
        token.tokensIndex = tokens2.length;
        const output = (opts.capture ? "(" : "") + token.open;
        increment("parens");
        push({ type, value: value2, output: state.output ? "" : ONE_CHAR });
        push({ type: "paren", extglob: true, value: advance(), output });
        extglobs.push(token);
      };
      const extglobClose = (token) => {
        const literal = input.slice(token.startIndex, state.index + 1);
        const body = input.slice(token.startIndex + 2, state.index);
        const analysis = analyzeRepeatedExtglob(body, opts);
        if ((token.type === "plus" || token.type === "star") && analysis.risky) {
          const safeOutput = analysis.safeOutput ? (token.output ? "" : ONE_CHAR) + (opts.capture ? `(${analysis.safeOutput})` : analysis.safeOutput) : void 0;
          const open = tokens2[token.tokensIndex];
          open.type = "text";
          open.value = literal;
          open.output = safeOutput || utils.escapeRegex(literal);
          for (let i = token.tokensIndex + 1; i < tokens2.length; i++) {
            tokens2[i].value = "";
            tokens2[i].output = "";
            delete tokens2[i].suffix;
          }
          state.output = token.output + open.output;
          state.backtrack = true;
          push({ type: "paren", extglob: true, value, output: "" });
          decrement("parens");
          return;
        }
        let output = token.close + (opts.capture ? ")" : "");
        let rest;
        if (token.type === "negate") {
          let extglobStar = star;
          if (token.inner && token.inner.length > 1 && token.inner.includes("/")) {
            extglobStar = globstar(opts);
          }
          if (extglobStar !== star || eos() || /^\)+$/.test(remaining())) {
            output = token.close = `)$))${extglobStar}`;
          }
          if (token.inner.includes("*") && (rest = remaining()) && /^\.[^\\/.]+$/.test(rest)) {
            const expression = parse2(rest, { ...options2, fastpaths: false }).output;
            output = token.close = `)${expression})${extglobStar})`;
          }
          if (token.prev.type === "bos") {
            state.negatedExtglob = true;
          }
        }
        push({ type: "paren", extglob: true, value, output });
        decrement("parens");
      };
      if (opts.fastpaths !== false && !/(^[*!]|[/()[\]{}"])/.test(input)) {
        let backslashes = false;
        let output = input.replace(REGEX_SPECIAL_CHARS_BACKREF, (m, esc, chars, first, rest, index) => {
          if (first === "\\") {
            backslashes = true;
            return m;
          }
          if (first === "?") {
            if (esc) {
              return esc + first + (rest ? QMARK.repeat(rest.length) : "");
            }
            if (index === 0) {
              return qmarkNoDot + (rest ? QMARK.repeat(rest.length) : "");
            }
            return QMARK.repeat(chars.length);
          }
          if (first === ".") {
            return DOT_LITERAL.repeat(chars.length);
          }
          if (first === "*") {
            if (esc) {
              return esc + first + (rest ? star : "");
            }
            return star;
          }
          return esc ? m : `\\${m}`;
        });
        if (backslashes === true) {
          if (opts.unescape === true) {
            output = output.replace(/\\/g, "");
          } else {
            output = output.replace(/\\+/g, (m) => {
              return m.length % 2 === 0 ? "\\\\" : m ? "\\" : "";
            });
          }
        }
        if (output === input && opts.contains === true) {
          state.output = input;
          return state;
        }
        state.output = utils.wrapOutput(output, state, options2);
        return state;
      }
      while (!eos()) {
        value = advance();
        if (value === "\0") {
          continue;
        }
        if (value === "\\") {
          const next = peek();
          if (next === "/" && opts.bash !== true) {
            continue;
          }
          if (next === "." || next === ";") {
            continue;
          }
          if (!next) {
            value += "\\";
            push({ type: "text", value });
            continue;
          }
          const match = /^\\+/.exec(remaining());
          let slashes = 0;
          if (match && match[0].length > 2) {
            slashes = match[0].length;
            state.index += slashes;
            if (slashes % 2 !== 0) {
              value += "\\";
            }
          }
          if (opts.unescape === true) {
            value = advance();
          } else {
            value += advance();
          }
          if (state.brackets === 0) {
            push({ type: "text", value });
            continue;
          }
        }
        if (state.brackets > 0 && (value !== "]" || prev.value === "[" || prev.value === "[^")) {
          if (opts.posix !== false && value === ":") {
            const inner = prev.value.slice(1);
            if (inner.includes("[")) {
              prev.posix = true;
              if (inner.includes(":")) {
                const idx = prev.value.lastIndexOf("[");
                const pre = prev.value.slice(0, idx);
                const rest2 = prev.value.slice(idx + 2);
                const posix2 = POSIX_REGEX_SOURCE[rest2];
                if (posix2) {
                  prev.value = pre + posix2;
                  state.backtrack = true;
                  advance();
                  if (!bos.output && tokens2.indexOf(prev) === 1) {
                    bos.output = ONE_CHAR;
                  }
                  continue;
                }
              }
            }
          }
          if (value === "[" && peek() !== ":" || value === "-" && peek() === "]") {
            value = `\\${value}`;
          }
          if (value === "]" && (prev.value === "[" || prev.value === "[^")) {
            value = `\\${value}`;
          }
          if (opts.posix === true && value === "!" && prev.value === "[") {
            value = "^";
          }
          prev.value += value;
          append({ value });
          continue;
        }
        if (state.quotes === 1 && value !== '"') {
          value = utils.escapeRegex(value);
          prev.value += value;
          append({ value });
          continue;
        }
        if (value === '"') {
          state.quotes = state.quotes === 1 ? 0 : 1;
          if (opts.keepQuotes === true) {
            push({ type: "text", value });
          }
          continue;
        }
        if (value === "(") {
          increment("parens");
          push({ type: "paren", value });
          continue;
        }
        if (value === ")") {
          if (state.parens === 0 && opts.strictBrackets === true) {
            throw new SyntaxError(syntaxError("opening", "("));
          }
          const extglob = extglobs[extglobs.length - 1];
          if (extglob && state.parens === extglob.parens + 1) {
            extglobClose(extglobs.pop());
            continue;
          }
          push({ type: "paren", value, output: state.parens ? ")" : "\\)" });
          decrement("parens");
          continue;
        }
        if (value === "[") {
          if (opts.nobracket === true || !remaining().includes("]")) {
            if (opts.nobracket !== true && opts.strictBrackets === true) {
              throw new SyntaxError(syntaxError("closing", "]"));
            }
            value = `\\${value}`;
          } else {
            increment("brackets");
          }
          push({ type: "bracket", value });
          continue;
        }
        if (value === "]") {
          if (opts.nobracket === true || prev && prev.type === "bracket" && prev.value.length === 1) {
            push({ type: "text", value, output: `\\${value}` });
            continue;
          }
          if (state.brackets === 0) {
            if (opts.strictBrackets === true) {
              throw new SyntaxError(syntaxError("opening", "["));
            }
            push({ type: "text", value, output: `\\${value}` });
            continue;
          }
          decrement("brackets");
          const prevValue = prev.value.slice(1);
          if (prev.posix !== true && prevValue[0] === "^" && !prevValue.includes("/")) {
            value = `/${value}`;
          }
          prev.value += value;
          append({ value });
          if (opts.literalBrackets === false || utils.hasRegexChars(prevValue)) {
            continue;
          }
          const escaped = utils.escapeRegex(prev.value);
          state.output = state.output.slice(0, -prev.value.length);
          if (opts.literalBrackets === true) {
            state.output += escaped;
            prev.value = escaped;
            continue;
          }
          prev.value = `(${capture}${escaped}|${prev.value})`;
          state.output += prev.value;
          continue;
        }
        if (value === "{" && opts.nobrace !== true) {
          increment("braces");
          const open = {
            type: "brace",
            value,
            output: "(",
            outputIndex: state.output.length,
            tokensIndex: state.tokens.length
          };
          braces.push(open);
          push(open);
          continue;
        }
        if (value === "}") {
          const brace = braces[braces.length - 1];
          if (opts.nobrace === true || !brace) {
            push({ type: "text", value, output: value });
            continue;
          }
          let output = ")";
          if (brace.dots === true) {
            const arr = tokens2.slice();
            const range = [];
            for (let i = arr.length - 1; i >= 0; i--) {
              tokens2.pop();
              if (arr[i].type === "brace") {
                break;
              }
              if (arr[i].type !== "dots") {
                range.unshift(arr[i].value);
              }
            }
            output = expandRange(range, opts);
            state.backtrack = true;
          }
          if (brace.comma !== true && brace.dots !== true) {
            const out = state.output.slice(0, brace.outputIndex);
            const toks = state.tokens.slice(brace.tokensIndex);
            brace.value = brace.output = "\\{";
            value = output = "\\}";
            state.output = out;
            for (const t of toks) {
              state.output += t.output || t.value;
            }
          }
          push({ type: "brace", value, output });
          decrement("braces");
          braces.pop();
          continue;
        }
        if (value === "|") {
          if (extglobs.length > 0) {
            extglobs[extglobs.length - 1].conditions++;
          }
          push({ type: "text", value });
          continue;
        }
        if (value === ",") {
          let output = value;
          const brace = braces[braces.length - 1];
          if (brace && stack[stack.length - 1] === "braces") {
            brace.comma = true;
            output = "|";
          }
          push({ type: "comma", value, output });
          continue;
        }
        if (value === "/") {
          if (prev.type === "dot" && state.index === state.start + 1) {
            state.start = state.index + 1;
            state.consumed = "";
            state.output = "";
            tokens2.pop();
            prev = bos;
            continue;
          }
          push({ type: "slash", value, output: SLASH_LITERAL });
          continue;
        }
        if (value === ".") {
          if (state.braces > 0 && prev.type === "dot") {
            if (prev.value === ".") prev.output = DOT_LITERAL;
            const brace = braces[braces.length - 1];
            prev.type = "dots";
            prev.output += value;
            prev.value += value;
            brace.dots = true;
            continue;
          }
          if (state.braces + state.parens === 0 && prev.type !== "bos" && prev.type !== "slash") {
            push({ type: "text", value, output: DOT_LITERAL });
            continue;
          }
          push({ type: "dot", value, output: DOT_LITERAL });
          continue;
        }
        if (value === "?") {
          const isGroup = prev && prev.value === "(";
          if (!isGroup && opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
            extglobOpen("qmark", value);
            continue;
          }
          if (prev && prev.type === "paren") {
            const next = peek();
            let output = value;
            if (prev.value === "(" && !/[!=<:]/.test(next) || next === "<" && !/<([!=]|\w+>)/.test(remaining())) {
              output = `\\${value}`;
            }
            push({ type: "text", value, output });
            continue;
          }
          if (opts.dot !== true && (prev.type === "slash" || prev.type === "bos")) {
            push({ type: "qmark", value, output: QMARK_NO_DOT });
            continue;
          }
          push({ type: "qmark", value, output: QMARK });
          continue;
        }
        if (value === "!") {
          if (opts.noextglob !== true && peek() === "(") {
            if (peek(2) !== "?" || !/[!=<:]/.test(peek(3))) {
              extglobOpen("negate", value);
              continue;
            }
          }
          if (opts.nonegate !== true && state.index === 0) {
            negate();
            continue;
          }
        }
        if (value === "+") {
          if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
            extglobOpen("plus", value);
            continue;
          }
          if (prev && prev.value === "(" || opts.regex === false) {
            push({ type: "plus", value, output: PLUS_LITERAL });
            continue;
          }
          if (prev && (prev.type === "bracket" || prev.type === "paren" || prev.type === "brace") || state.parens > 0) {
            push({ type: "plus", value });
            continue;
          }
          push({ type: "plus", value: PLUS_LITERAL });
          continue;
        }
        if (value === "@") {
          if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
            push({ type: "at", extglob: true, value, output: "" });
            continue;
          }
          push({ type: "text", value });
          continue;
        }
        if (value !== "*") {
          if (value === "$" || value === "^") {
            value = `\\${value}`;
          }
          const match = REGEX_NON_SPECIAL_CHARS.exec(remaining());
          if (match) {
            value += match[0];
            state.index += match[0].length;
          }
          push({ type: "text", value });
          continue;
        }
        if (prev && (prev.type === "globstar" || prev.star === true)) {
          prev.type = "star";
          prev.star = true;
          prev.value += value;
          prev.output = star;
          state.backtrack = true;
          state.globstar = true;
          consume(value);
          continue;
        }
        let rest = remaining();
        if (opts.noextglob !== true && /^\([^?]/.test(rest)) {
          extglobOpen("star", value);
          continue;
        }
        if (prev.type === "star") {
          if (opts.noglobstar === true) {
            consume(value);
            continue;
          }
          const prior = prev.prev;
          const before = prior.prev;
          const isStart = prior.type === "slash" || prior.type === "bos";
          const afterStar = before && (before.type === "star" || before.type === "globstar");
          if (opts.bash === true && (!isStart || rest[0] && rest[0] !== "/")) {
            push({ type: "star", value, output: "" });
            continue;
          }
          const isBrace = state.braces > 0 && (prior.type === "comma" || prior.type === "brace");
          const isExtglob = extglobs.length && (prior.type === "pipe" || prior.type === "paren");
          if (!isStart && prior.type !== "paren" && !isBrace && !isExtglob) {
            push({ type: "star", value, output: "" });
            continue;
          }
          while (rest.slice(0, 3) === "/**") {
            const after = input[state.index + 4];
            if (after && after !== "/") {
              break;
            }
            rest = rest.slice(3);
            consume("/**", 3);
          }
          const isEnd = eos() || state.parens > 0 && rest === ")".repeat(state.parens) && !extglobs.some((extglob) => extglob.type === "negate");
          if (prior.type === "bos" && eos()) {
            prev.type = "globstar";
            prev.value += value;
            prev.output = globstar(opts);
            state.output = prev.output;
            state.globstar = true;
            consume(value);
            continue;
          }
          if (prior.type === "slash" && prior.prev.type !== "bos" && !afterStar && isEnd) {
            state.output = state.output.slice(0, -(prior.output + prev.output).length);
            prior.output = `(?:${prior.output}`;
            prev.type = "globstar";
            prev.output = globstar(opts) + (opts.strictSlashes ? ")" : "|$)");
            prev.value += value;
            state.globstar = true;
            state.output += prior.output + prev.output;
            consume(value);
            continue;
          }
          if (prior.type === "slash" && prior.prev.type !== "bos" && rest[0] === "/") {
            const end = rest[1] !== void 0 ? "|$" : "";
            state.output = state.output.slice(0, -(prior.output + prev.output).length);
            prior.output = `(?:${prior.output}`;
            prev.type = "globstar";
            prev.output = `${globstar(opts)}${SLASH_LITERAL}|${SLASH_LITERAL}${end})`;
            prev.value += value;
            state.output += prior.output + prev.output;
            state.globstar = true;
            consume(value + advance());
            push({ type: "slash", value: "/", output: "" });
            continue;
          }
          if (prior.type === "bos" && rest[0] === "/") {
            prev.type = "globstar";
            prev.value += value;
            prev.output = `(?:^|${SLASH_LITERAL}|${globstar(opts)}${SLASH_LITERAL})`;
            state.output = prev.output;
            state.globstar = true;
            consume(value + advance());
            push({ type: "slash", value: "/", output: "" });
            continue;
          }
          state.output = state.output.slice(0, -prev.output.length);
          prev.type = "globstar";
          prev.output = globstar(opts);
          prev.value += value;
          state.output += prev.output;
          state.globstar = true;
          consume(value);
          continue;
        }
        const token = { type: "star", value, output: star };
        if (opts.bash === true) {
          token.output = ".*?";
          if (prev.type === "bos" || prev.type === "slash") {
            token.output = nodot + token.output;
          }
          push(token);
          continue;
        }
        if (prev && (prev.type === "bracket" || prev.type === "paren") && opts.regex === true) {
          token.output = value;
          push(token);
          continue;
        }
        if (state.index === state.start || prev.type === "slash" || prev.type === "dot") {
          if (prev.type === "dot") {
            state.output += NO_DOT_SLASH;
            prev.output += NO_DOT_SLASH;
          } else if (opts.dot === true) {
            state.output += NO_DOTS_SLASH;
            prev.output += NO_DOTS_SLASH;
          } else {
            state.output += nodot;
            prev.output += nodot;
          }
          if (peek() !== "*") {
            state.output += ONE_CHAR;
            prev.output += ONE_CHAR;
          }
        }
        push(token);
      }
      while (state.brackets > 0) {
        if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
        state.output = utils.escapeLast(state.output, "[");
        decrement("brackets");
      }
      while (state.parens > 0) {
        if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", ")"));
        state.output = utils.escapeLast(state.output, "(");
        decrement("parens");
      }
      while (state.braces > 0) {
        if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "}"));
        state.output = utils.escapeLast(state.output, "{");
        decrement("braces");
      }
      if (opts.strictSlashes !== true && (prev.type === "star" || prev.type === "bracket")) {
        push({ type: "maybe_slash", value: "", output: `${SLASH_LITERAL}?` });
      }
      if (state.backtrack === true) {
        state.output = "";
        for (const token of state.tokens) {
          state.output += token.output != null ? token.output : token.value;
          if (token.suffix) {
            state.output += token.suffix;
          }
        }
      }
      return state;
    };
    parse2.fastpaths = (input, options2) => {
      const opts = { ...options2 };
      const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
      const len = input.length;
      if (len > max) {
        throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
      }
      input = REPLACEMENTS[input] || input;
      const {
        DOT_LITERAL,
        SLASH_LITERAL,
        ONE_CHAR,
        DOTS_SLASH,
        NO_DOT,
        NO_DOTS,
        NO_DOTS_SLASH,
        STAR,
        START_ANCHOR
      } = constants2.globChars(opts.windows);
      const nodot = opts.dot ? NO_DOTS : NO_DOT;
      const slashDot = opts.dot ? NO_DOTS_SLASH : NO_DOT;
      const capture = opts.capture ? "" : "?:";
      const state = { negated: false, prefix: "" };
      let star = opts.bash === true ? ".*?" : STAR;
      if (opts.capture) {
        star = `(${star})`;
      }
      const globstar = (opts2) => {
        if (opts2.noglobstar === true) return star;
        return `(${capture}(?:(?!${START_ANCHOR}${opts2.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
      };
      const create = (str) => {
        switch (str) {
          case "*":
            return `${nodot}${ONE_CHAR}${star}`;
          case ".*":
            return `${DOT_LITERAL}${ONE_CHAR}${star}`;
          case "*.*":
            return `${nodot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
          case "*/*":
            return `${nodot}${star}${SLASH_LITERAL}${ONE_CHAR}${slashDot}${star}`;
          case "**":
            return nodot + globstar(opts);
          case "**/*":
            return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${ONE_CHAR}${star}`;
          case "**/*.*":
            return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
          case "**/.*":
            return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${DOT_LITERAL}${ONE_CHAR}${star}`;
          default: {
            const match = /^(.*?)\.(\w+)$/.exec(str);
            if (!match) return;
            const source2 = create(match[1]);
            if (!source2) return;
            return source2 + DOT_LITERAL + match[2];
          }
        }
      };
      const output = utils.removePrefix(input, state);
      let source = create(output);
      if (source && opts.strictSlashes !== true) {
        source += `${SLASH_LITERAL}?`;
      }
      return source;
    };
    module2.exports = parse2;
  }
});

// ../../../../work/main/node_modules/picomatch/lib/picomatch.js
var require_picomatch = __commonJS({
  "../../../../work/main/node_modules/picomatch/lib/picomatch.js"(exports, module2) {
    "use strict";
    var scan = require_scan();
    var parse2 = require_parse();
    var utils = require_utils();
    var constants2 = require_constants();
    var isObject = (val) => val && typeof val === "object" && !Array.isArray(val);
    var picomatch3 = (glob, options2, returnState = false) => {
      if (Array.isArray(glob)) {
        const fns = glob.map((input) => picomatch3(input, options2, returnState));
        const arrayMatcher = (str) => {
          for (const isMatch of fns) {
            const state2 = isMatch(str);
            if (state2) return state2;
          }
          return false;
        };
        return arrayMatcher;
      }
      const isState = isObject(glob) && glob.tokens && glob.input;
      if (glob === "" || typeof glob !== "string" && !isState) {
        throw new TypeError("Expected pattern to be a non-empty string");
      }
      const opts = options2 || {};
      const posix2 = opts.windows;
      const regex = isState ? picomatch3.compileRe(glob, options2) : picomatch3.makeRe(glob, options2, false, true);
      const state = regex.state;
      delete regex.state;
      let isIgnored = () => false;
      if (opts.ignore) {
        const ignoreOpts = { ...options2, ignore: null, onMatch: null, onResult: null };
        isIgnored = picomatch3(opts.ignore, ignoreOpts, returnState);
      }
      const matcher = (input, returnObject = false) => {
        const { isMatch, match, output } = picomatch3.test(input, regex, options2, { glob, posix: posix2 });
        const result2 = { glob, state, regex, posix: posix2, input, output, match, isMatch };
        if (typeof opts.onResult === "function") {
          opts.onResult(result2);
        }
        if (isMatch === false) {
          result2.isMatch = false;
          return returnObject ? result2 : false;
        }
        if (isIgnored(input)) {
          if (typeof opts.onIgnore === "function") {
            opts.onIgnore(result2);
          }
          result2.isMatch = false;
          return returnObject ? result2 : false;
        }
        if (typeof opts.onMatch === "function") {
          opts.onMatch(result2);
        }
        return returnObject ? result2 : true;
      };
      if (returnState) {
        matcher.state = state;
      }
      return matcher;
    };
    picomatch3.test = (input, regex, options2, { glob, posix: posix2 } = {}) => {
      if (typeof input !== "string") {
        throw new TypeError("Expected input to be a string");
      }
      if (input === "") {
        return { isMatch: false, output: "" };
      }
      const opts = options2 || {};
      const format2 = opts.format || (posix2 ? utils.toPosixSlashes : null);
      let match = input === glob;
      let output = match && format2 ? format2(input) : input;
      if (match === false) {
        output = format2 ? format2(input) : input;
        match = output === glob;
      }
      if (match === false || opts.capture === true) {
        if (opts.matchBase === true || opts.basename === true) {
          match = picomatch3.matchBase(input, regex, options2, posix2);
        } else {
          match = regex.exec(output);
        }
      }
      return { isMatch: Boolean(match), match, output };
    };
    picomatch3.matchBase = (input, glob, options2, posix2 = options2 && options2.windows) => {
      const regex = glob instanceof RegExp ? glob : picomatch3.makeRe(glob, options2);
      return regex.test(utils.basename(input, { windows: posix2 }));
    };
    picomatch3.isMatch = (str, patterns2, options2) => picomatch3(patterns2, options2)(str);
    picomatch3.parse = (pattern, options2) => {
      if (Array.isArray(pattern)) return pattern.map((p) => picomatch3.parse(p, options2));
      return parse2(pattern, { ...options2, fastpaths: false });
    };
    picomatch3.scan = (input, options2) => scan(input, options2);
    picomatch3.compileRe = (state, options2, returnOutput = false, returnState = false) => {
      if (returnOutput === true) {
        return state.output;
      }
      const opts = options2 || {};
      const prepend = opts.contains ? "" : "^";
      const append = opts.contains ? "" : "$";
      let source = `${prepend}(?:${state.output})${append}`;
      if (state && state.negated === true) {
        source = `^(?!${source}).*$`;
      }
      const regex = picomatch3.toRegex(source, options2);
      if (returnState === true) {
        regex.state = state;
      }
      return regex;
    };
    picomatch3.makeRe = (input, options2 = {}, returnOutput = false, returnState = false) => {
      if (!input || typeof input !== "string") {
        throw new TypeError("Expected a non-empty string");
      }
      let parsed = { negated: false, fastpaths: true };
      if (options2.fastpaths !== false && (input[0] === "." || input[0] === "*")) {
        parsed.output = parse2.fastpaths(input, options2);
      }
      if (!parsed.output) {
        parsed = parse2(input, options2);
      }
      return picomatch3.compileRe(parsed, options2, returnOutput, returnState);
    };
    picomatch3.toRegex = (source, options2) => {
      try {
        const opts = options2 || {};
        return new RegExp(source, opts.flags || (opts.nocase ? "i" : ""));
      } catch (err) {
        if (options2 && options2.debug === true) throw err;
        return /$^/;
      }
    };
    picomatch3.constants = constants2;
    module2.exports = picomatch3;
  }
});

// ../../../../work/main/node_modules/picomatch/index.js
var require_picomatch2 = __commonJS({
  "../../../../work/main/node_modules/picomatch/index.js"(exports, module2) {
    "use strict";
    var pico = require_picomatch();
    var utils = require_utils();
    function picomatch3(glob, options2, returnState = false) {
      if (options2 && (options2.windows === null || options2.windows === void 0)) {
        options2 = { ...options2, windows: utils.isWindows() };
      }
      return pico(glob, options2, returnState);
    }
    Object.assign(picomatch3, pico);
    module2.exports = picomatch3;
  }
});

// source/languages/language.ts
function languageAmong(languages2, path) {
  const last2 = path.slice(path.lastIndexOf("/") + 1);
  const name2 = last2.toLowerCase();
  let best = null;
  let length = 0;
  for (const language of languages2) {
    if (language.grammar === null) {
      if (language.takes(last2)) return language;
      continue;
    }
    for (const ending of language.extensions)
      if (ending.length > length && name2.endsWith(ending)) {
        best = language;
        length = ending.length;
      }
  }
  return best;
}

// source/manifest-names.ts
function isCompilerConfig(path) {
  return /(?:^|\/)(?:tsconfig(?:[.-][\w.-]+)?|jsconfig)\.json$/.test(path);
}

// source/secrets/secret-names.ts
var PASSWORDS = /^(?:password|passwd|passphrase|passcode|pwd|secret|secrets|credential|credentials)$/u;
var KEYS = /^(?:token|apikey|authkey|authtoken|accesstoken|cookie|jwt|bearer|authorization|pat)$/u;
var PAIRS = /(?:api|access|private|secret|account|auth|encryption|signing|session|master|service|shared|storage|license|deploy|webhook|ssh|gpg|client|admin|root|db) (?:key|pass|pw|auth|pin)$|(?:connection) string$|^(?:auth|dsn|pass)$/u;
var MAYBE_SECRET = /passw|passphrase|passcode|pwd|secret|credential|token|key|cookie|jwt|bearer|authorization|connection|(?:pat|pw|pass|pin|dsn|auth)(?![a-z])/gi;
function secretName(name2) {
  const words = wordsOf(name2);
  const last2 = words.at(-1) ?? "";
  if (PASSWORDS.test(last2)) return "password";
  if (KEYS.test(last2) || PAIRS.test(words.slice(-2).join(" ")) || PAIRS.test(last2)) return "key";
  return null;
}
function wordsOf(name2) {
  return name2.slice(-100).replace(/([a-z0-9])([A-Z])/gu, "$1 $2").replace(/([A-Z])([A-Z][a-z])/gu, "$1 $2").toLowerCase().split(/[^a-z]+/u).filter((word) => word !== "");
}

// source/secrets/assigned-secrets.ts
var ASSIGNMENT = /(?<![\w$-])(?<dashes>--?)?(?<name>[$\w][\w.$-]{0,100}?)(?<closing>\\{0,3}["'`\]]{0,2})(?<sign>\s{0,5}(?::=|=>|==?|:|,(?=\s{0,2}\\{0,3}["']))\s{0,5}|(?<=--[\w-]{1,100})\s{1,3})(?:(?<quote>\\{0,3}["'`])(?<quoted>(?:(?!\k<quote>)[^\n]){1,2000})|(?<bare>[^\s"'`,;()[\]{}<>&|\\]{1,2000})(?<next>.?))/dgu;
var ORDINARY = /^(?:string|str|text|number|int|integer|float|bool|boolean|bytes|buffer|any|unknown|object|never|void|char|varchar|null|nil|none|undefined|true|false|yes|no|required|optional|hidden|masked|redacted|removed|secret|password|passwd|token|key|value|test|example|placeholder|changeme|default|empty|missing|invalid|expired|x+|\*+|\.+|-+|_+)$/iu;
var PLACEHOLDER = /^(?:[$%<{[*]|process\.env|os\.(?:environ|getenv)|import\.meta|env[.(]|ENV\[|secrets\.|vars\.|var\.)/u;
function assignedSecrets(text) {
  const spans = [];
  const pattern = new RegExp(ASSIGNMENT);
  const hint = new RegExp(MAYBE_SECRET);
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const end = endOfLine(text, found.index);
    let from = Math.max(pattern.lastIndex, text.lastIndexOf("\n", found.index) + 1);
    while (from < end) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      if (match === null) return spans;
      if (match.index >= end) break;
      const span = secretIn(match);
      if (span) spans.push(span);
      from = span?.end ?? assignedAt(match)[0];
    }
    pattern.lastIndex = from;
    hint.lastIndex = end;
  }
  return spans;
}
function endOfLine(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
function assignedAt(match) {
  const { quoted, bare } = match.indices?.groups ?? {};
  return quoted ?? bare ?? [match.index + 1, match.index + 1];
}
function secretIn(match) {
  const { name: name2 = "", quoted, bare = "" } = match.groups ?? {};
  const strength2 = secretName(name2);
  if (strength2 === null) return null;
  const isSecret = quoted === void 0 ? isBareSecret(bare, strength2, match) : isQuotedSecret(quoted, strength2);
  const [start, end] = assignedAt(match);
  return isSecret ? { start, end, name: strength2 } : null;
}
function isQuotedSecret(value, strength2) {
  if (ORDINARY.test(value) || PLACEHOLDER.test(value)) return false;
  if (strength2 === "password") return value.length >= 3 && !isProse(value);
  return value.length >= 8 && !/\s/u.test(value) && isMixed(value);
}
function isBareSecret(value, strength2, match) {
  const { name: name2 = "", dashes = "", sign = "", next = "" } = match.groups ?? {};
  if (value.length < 3 || ORDINARY.test(value) || PLACEHOLDER.test(value)) return false;
  if (/[([]/u.test(next) || /^[A-Z][A-Z_-]*$/u.test(value) || /^[-/]/u.test(value)) return false;
  const isPath2 = /^[\w$]+(?:\??\.[A-Za-z_$][\w$]*)+[;!]?$/u.test(value) && !/\d{3}/u.test(value);
  if (isPath2) return false;
  if (dashes === "--") return true;
  const tight = sign.trim() === sign && sign.startsWith("=") && sign.length === 1;
  if (tight && /^[A-Z][A-Z0-9_]*$/u.test(name2)) return true;
  const before = match.input?.[(match.index ?? 0) - 1] ?? "\n";
  if (tight && /[?&;\n]/u.test(before)) return isMixed(value) || strength2 === "password";
  if (isMixed(value))
    return !/^[A-Za-z_$][\w$]*$/u.test(value) || /\d/u.test(value) ? hasRoom(value, strength2, next) : false;
  return false;
}
function isMixed(value) {
  return /\d/u.test(value) || /[a-z]/u.test(value) && /[A-Z]/u.test(value) && value.length >= 16 || /[!@#^*+=~/]/u.test(value);
}
function hasRoom(value, strength2, next) {
  const isName2 = /^[a-z_$]+\d{1,2}$/iu.test(value);
  if (isName2 && (next !== "" || strength2 === "key")) return strength2 === "password" && !/[;,)=.]/u.test(next);
  return /^\d{1,6}(?:\.\d+)?$/u.test(value) ? strength2 === "password" && value.length >= 4 : value.length >= (strength2 === "password" ? 3 : 8);
}
function isProse(value) {
  return /^[\p{L}'’.,!?-]+(?:\s+[\p{L}'’.,!?:-]+){1,}$/u.test(value);
}

// source/secrets/token-shapes.ts
var TOKEN_SHAPES = [
  shape("aws key", /\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA)[A-Z2-7]{16}\b/),
  shape("google key", /\bAIza[\w-]{35}/),
  shape("google token", /\b(?:ya29\.[\w.-]{20,}|GOCSPX-[\w-]{20,}|1\/\/0[\w-]{30,})/),
  shape("azure secret", /(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{31,34}/),
  shape("azure signature", /[?&;]sig=(?<value>[\w%+/=-]{20,})/),
  shape("github token", /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{22,})/),
  shape("gitlab token", /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[\w.-]{20,}/),
  shape("slack token", /\b(?:xox[abceoprs](?:\.xox[bp])?-|xapp-)[\w-]{10,}/),
  shape("slack webhook", /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<value>[\w/]{20,})/),
  shape("discord webhook", /discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/(?<value>[\w-]{30,})/),
  shape("discord token", /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/),
  shape("telegram token", /\b\d{8,10}:AA[\w-]{33}/),
  shape("stripe key", /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[\w+/=]{20,}/),
  shape("anthropic key", /\bsk-ant-[\w-]{20,}/),
  shape("openai key", /\bsk-(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Z])[\w-]{20,}/),
  shape("openrouter key", /\bsk-or-v\d-[0-9a-f]{32,}/),
  shape(
    "model provider key",
    /\b(?:gsk_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|tvly-[\w-]{20,})/
  ),
  shape("npm token", /\bnpm_[A-Za-z0-9]{30,}/),
  shape("pypi token", /\bpypi-[\w-]{40,}/),
  shape("rubygems key", /\brubygems_[0-9a-f]{40,}/),
  shape("crates token", /\bcio[A-Za-z0-9]{32}\b/),
  shape("docker token", /\bdckr_(?:pat|oat)_[\w-]{20,}/),
  shape("sendgrid key", /\bSG\.[\w-]{16,}\.[\w-]{16,}/),
  shape("twilio key", /\bSK[0-9a-f]{32}\b/),
  shape("mailgun key", /\bkey-[0-9a-z]{32}\b/),
  shape("mailchimp key", /\b[0-9a-f]{32}-us\d{1,2}\b/),
  shape("digitalocean token", /\bdo[opr]_v1_[0-9a-f]{40,}/),
  shape("shopify token", /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/),
  shape("square token", /\bsq0(?:atp|csp|idp)-[\w-]{20,}|\bEAAA[\w-]{56,}/),
  shape("databricks token", /\bdapi[0-9a-f]{32}/),
  shape("vault token", /\bhv[sbr]\.[\w-]{20,}/),
  shape("terraform token", /\b\w{14}\.atlasv1\.[\w-]{40,}/),
  shape("atlassian token", /\bAT(?:ATT|CTT|BB)3?[\w=-]{24,}/),
  shape("linear key", /\blin_(?:api|oauth)_[A-Za-z0-9]{30,}/),
  shape("notion token", /\b(?:ntn_|secret_)[A-Za-z0-9]{40,}/),
  shape("grafana token", /\bgl(?:sa|c)_[\w+/=]{32,}/),
  shape("new relic key", /\bNR(?:AK|II|JS|AA)-[\w-]{20,}/),
  shape("supabase token", /\bsb(?:p_[0-9a-f]{40,}|_secret_[\w-]{20,})/),
  shape("figma token", /\bfig[dour]_[\w-]{30,}/),
  shape("postman key", /\bPMAK-[\w-]{40,}/),
  shape("planetscale token", /\bpscale_(?:tkn|pw|oauth)_[\w.-]{20,}/),
  shape("doppler token", /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}/),
  shape("age key", /\bAGE-SECRET-KEY-1[0-9A-Z]{40,}/),
  shape("json web token", /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{0,4000}){1,3}/),
  shape("password hash", /\$(?:2[abxy]|apr1|argon2(?:id|i|d)|scrypt|[156y])\$[\w./$=,+-]{20,}/)
];
function shape(name2, pattern) {
  return { name: name2, pattern: new RegExp(pattern.source, `${pattern.flags.replace(/[dg]/gu, "")}dg`) };
}

// source/secrets/credentials.ts
var CREDENTIALS = [
  // `scheme://user:password@host`; a value that is a placeholder is none.
  shape(
    "password in a URL",
    /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/?#"'<>`]{0,200}:(?<value>(?![$<{%*[])[^\s@/?#"'<>`]{1,500})@/i
  ),
  shape("token in a URL", /\bhttps?:\/\/(?<value>[\w-]{20,})@/i),
  shape(
    "authorization",
    /\bauthorization["'\\]{0,4}\s{0,5}[:=,]\s{0,5}["'\\]{0,4}(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256|hmac)\s{1,5}(?<value>(?![$<{%*[])[^\s"'\\`<>]{4,8000}(?:,\s?\w{1,20}=[^\s"'\\]{1,1000}){0,20})/i
  ),
  // No scheme: an opaque value that has a digit, so that no type or word is one.
  shape(
    "authorization",
    /\bauthorization["'\\]{0,4}\s{0,5}:\s{0,5}["'\\]{0,4}(?<value>(?=[^\s"'\\]{0,200}\d)[\w.~+/=-]{12,4000})/i
  ),
  shape("bearer token", /\bbearer\s{1,5}(?<value>(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,8000})/i),
  shape(
    "cookie",
    /\b(?:set-)?cookie["'\\]{0,4}\s{0,5}:\s{0,5}["'\\]{0,4}[\w.$%!-]{1,100}=(?<value>[^\s"'\\;][^\n\r"'\\]{2,8000})/i
  ),
  shape(
    "password of curl",
    /\bcurl\b[^\n]{0,1000}?\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s:"']{1,200}:(?<value>(?![$<{%*])[^\s"']{1,500})/
  ),
  shape(
    "password of mysql",
    /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,500}?\s-p(?<value>(?![$<{%*])[^\s"'-][^\s"']{2,200})/
  ),
  shape("password of sshpass", /\bsshpass\s{1,5}-p\s{0,5}["']?(?<value>(?![$<{%*])[^\s"']{1,200})/),
  shape(
    "password of docker",
    /\bdocker\s{1,5}login\b[^\n]{0,300}?\s-p[ =]?["']?(?<value>(?![$<{%*-])[^\s"']{1,200})/
  ),
  shape(
    "password in SQL",
    /\b(?:identified\s{1,5}by|password)\s{1,5}(?:=\s{0,5})?'(?<value>[^'\n]{1,200})'/i
  ),
  shape("password of netrc", /\blogin\s{1,5}\S{1,200}\s{1,5}password\s{1,5}(?<value>(?!\[)\S{1,200})/)
];

// source/secrets/private-keys.ts
var BETWEEN = String.raw`(?:\s|\\{1,4}[nrt]|["'+,|>#*\\-])`;
var HEADER = String.raw`(?:${BETWEEN}{0,20}[A-Za-z-]{3,30}: [^\n\\]{0,100}){0,5}`;
var BEGIN = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
var END = `(?:${BETWEEN}{0,20}----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`;
var PRIVATE_KEYS = [
  shape(
    "private key",
    new RegExp(
      `${BEGIN}${HEADER}(?<value>${BETWEEN}{1,20}[A-Za-z0-9+/=]{16,}(?:${BETWEEN}+[A-Za-z0-9+/=]+)*)${END}`
    )
  ),
  shape("putty key", /Private-Lines: \d{1,4}\r?\n(?<value>(?:[A-Za-z0-9+/=]+\r?\n?)+)/)
];

// source/secrets/mask.ts
var SHAPES = [...PRIVATE_KEYS, ...TOKEN_SHAPES, ...CREDENTIALS];
function secretSpans(text) {
  const spans = assignedSecrets(text);
  for (const { name: name2, pattern } of SHAPES) {
    if (text.search(pattern) < 0) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.value ?? match.indices?.[0] ?? [0, 0];
      if (end > start) spans.push({ start, end, name: name2 });
    }
  }
  return merged(spans);
}
function masked(text) {
  return maskedRange(text, secretSpans(text), 0, text.length);
}
function maskedRange(text, spans, from, to) {
  let result2 = "";
  let at = from;
  for (const { start, end, name: name2 } of spans) {
    if (end <= at || start >= to) continue;
    result2 += `${text.slice(at, Math.max(at, start))}[masked:${name2.replaceAll(" ", "-")}]`;
    at = end;
  }
  return at < to ? result2 + text.slice(at, to) : result2;
}
function merged(spans) {
  const result2 = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last2 = result2.at(-1);
    if (last2 && span.start < last2.end) {
      if (span.end > last2.end) result2[result2.length - 1] = { ...last2, end: span.end };
    } else result2.push(span);
  }
  return result2;
}

// source/languages/config/key-list.ts
var DEEPEST = 6;
var MOST = 2e3;
var SIGNATURE = 160;
var VALUE = 1e3;
var MOST_ERRORS = 20;
var KeyList = class {
  keys = [];
  #text;
  #starts = [0];
  #ordinals = /* @__PURE__ */ new Map();
  #wrong = /* @__PURE__ */ new Set();
  constructor(text) {
    this.#text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }
  /**
   * Keeps a key, unless it lies too deep or there are too many.
   *
   * @param parts Of its name.
   * @param parent Number of the key around it, as this gave it.
   * @param value Where its value is written; null for one that has keys of its own.
   * @returns Its number; null where it is not kept.
   */
  add(parts, parent, [start, end], value) {
    if (parts.length > DEEPEST || this.keys.length >= MOST) return null;
    const name2 = parts.map(shownPart).join(".");
    const ordinal = (this.#ordinals.get(name2) ?? 0) + 1;
    this.#ordinals.set(name2, ordinal);
    const signature2 = signatureOf(name2, parts.at(-1) ?? "", value && this.#text.slice(...value));
    return this.keys.push({ name: name2, ordinal, parent, signature: signature2, span: this.#span(start, end) }) - 1;
  }
  /** Notes that something is wrong at an offset; behind the end of the text it is wrong in its last line. */
  wrong(offset) {
    this.#wrong.add(this.#line(Math.min(offset, Math.max(0, this.#text.trimEnd().length - 1))));
  }
  /** The facts of a file that has these keys. */
  facts(language) {
    const { length } = this.#starts;
    return {
      language,
      docstring: null,
      lines: length - (this.#starts[length - 1] === this.#text.length ? 1 : 0),
      definitions: [],
      references: [],
      imports: [],
      exports: [],
      types: [],
      flows: [],
      comments: [],
      tests: [],
      routes: [],
      keys: this.keys,
      syntax_errors: [...this.#wrong].sort((a, b) => a - b).slice(0, MOST_ERRORS)
    };
  }
  #span(start, end) {
    const start_line = this.#line(start);
    const end_line = this.#line(Math.max(start, end - 1));
    return {
      start_line,
      start_column: start - (this.#starts[start_line - 1] ?? 0),
      end_line,
      end_column: end - (this.#starts[end_line - 1] ?? 0)
    };
  }
  #line(offset) {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = low + high >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
};
function shownPart(part) {
  return /^[^\s."'\p{Cc}]+$/u.test(part) ? part : JSON.stringify(part);
}
function signatureOf(name2, last2, value) {
  if (value === null || value.trim() === "" || secretName(last2) !== null) return cut(name2);
  const shown = masked(`${name2}: ${value.slice(0, VALUE)}`).replace(/\s+/g, " ").trim();
  return cut(value.length > VALUE ? `${name2}: \u2026` : shown);
}
function cut(text) {
  return text.length > SIGNATURE ? `${text.slice(0, SIGNATURE - 1)}\u2026` : text;
}

// source/languages/config/dotenv-keys.ts
var ASSIGNMENT2 = /^[ \t]*(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?<value>[^\r\n]*)/dgmu;
function dotenvFacts(text) {
  const list = new KeyList(text);
  const pattern = new RegExp(ASSIGNMENT2);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [start = 0] = match.indices?.groups?.name ?? [];
    const [from = 0, line = 0] = match.indices?.groups?.value ?? [];
    const quote = /^["'`]/.exec(match.groups?.value ?? "")?.[0];
    const closing = quote === void 0 ? -1 : text.indexOf(quote, from + 1);
    const to = closing < 0 ? line : Math.max(closing + 1, from);
    const end = from + text.slice(from, to).trimEnd().length;
    list.add([match.groups?.name ?? ""], null, [start, Math.max(end, start)], [from, end]);
    pattern.lastIndex = Math.max(end, pattern.lastIndex);
  }
  return list.facts("dotenv");
}

// ../../../../work/main/node_modules/jsonc-parser/lib/esm/impl/scanner.js
function createScanner(text, ignoreTrivia = false) {
  const len = text.length;
  let pos = 0, value = "", tokenOffset = 0, token = 16, lineNumber = 0, lineStartOffset = 0, tokenLineStartOffset = 0, prevTokenLineStartOffset = 0, scanError = 0;
  function scanHexDigits(count, exact) {
    let digits = 0;
    let value2 = 0;
    while (digits < count || !exact) {
      let ch = text.charCodeAt(pos);
      if (ch >= 48 && ch <= 57) {
        value2 = value2 * 16 + ch - 48;
      } else if (ch >= 65 && ch <= 70) {
        value2 = value2 * 16 + ch - 65 + 10;
      } else if (ch >= 97 && ch <= 102) {
        value2 = value2 * 16 + ch - 97 + 10;
      } else {
        break;
      }
      pos++;
      digits++;
    }
    if (digits < count) {
      value2 = -1;
    }
    return value2;
  }
  function setPosition(newPosition) {
    pos = newPosition;
    value = "";
    tokenOffset = 0;
    token = 16;
    scanError = 0;
  }
  function scanNumber() {
    let start = pos;
    if (text.charCodeAt(pos) === 48) {
      pos++;
    } else {
      pos++;
      while (pos < text.length && isDigit(text.charCodeAt(pos))) {
        pos++;
      }
    }
    if (pos < text.length && text.charCodeAt(pos) === 46) {
      pos++;
      if (pos < text.length && isDigit(text.charCodeAt(pos))) {
        pos++;
        while (pos < text.length && isDigit(text.charCodeAt(pos))) {
          pos++;
        }
      } else {
        scanError = 3;
        return text.substring(start, pos);
      }
    }
    let end = pos;
    if (pos < text.length && (text.charCodeAt(pos) === 69 || text.charCodeAt(pos) === 101)) {
      pos++;
      if (pos < text.length && text.charCodeAt(pos) === 43 || text.charCodeAt(pos) === 45) {
        pos++;
      }
      if (pos < text.length && isDigit(text.charCodeAt(pos))) {
        pos++;
        while (pos < text.length && isDigit(text.charCodeAt(pos))) {
          pos++;
        }
        end = pos;
      } else {
        scanError = 3;
      }
    }
    return text.substring(start, end);
  }
  function scanString() {
    let result2 = "", start = pos;
    while (true) {
      if (pos >= len) {
        result2 += text.substring(start, pos);
        scanError = 2;
        break;
      }
      const ch = text.charCodeAt(pos);
      if (ch === 34) {
        result2 += text.substring(start, pos);
        pos++;
        break;
      }
      if (ch === 92) {
        result2 += text.substring(start, pos);
        pos++;
        if (pos >= len) {
          scanError = 2;
          break;
        }
        const ch2 = text.charCodeAt(pos++);
        switch (ch2) {
          case 34:
            result2 += '"';
            break;
          case 92:
            result2 += "\\";
            break;
          case 47:
            result2 += "/";
            break;
          case 98:
            result2 += "\b";
            break;
          case 102:
            result2 += "\f";
            break;
          case 110:
            result2 += "\n";
            break;
          case 114:
            result2 += "\r";
            break;
          case 116:
            result2 += "	";
            break;
          case 117:
            const ch3 = scanHexDigits(4, true);
            if (ch3 >= 0) {
              result2 += String.fromCharCode(ch3);
            } else {
              scanError = 4;
            }
            break;
          default:
            scanError = 5;
        }
        start = pos;
        continue;
      }
      if (ch >= 0 && ch <= 31) {
        if (isLineBreak(ch)) {
          result2 += text.substring(start, pos);
          scanError = 2;
          break;
        } else {
          scanError = 6;
        }
      }
      pos++;
    }
    return result2;
  }
  function scanNext() {
    value = "";
    scanError = 0;
    tokenOffset = pos;
    lineStartOffset = lineNumber;
    prevTokenLineStartOffset = tokenLineStartOffset;
    if (pos >= len) {
      tokenOffset = len;
      return token = 17;
    }
    let code = text.charCodeAt(pos);
    if (isWhiteSpace(code)) {
      do {
        pos++;
        value += String.fromCharCode(code);
        code = text.charCodeAt(pos);
      } while (isWhiteSpace(code));
      return token = 15;
    }
    if (isLineBreak(code)) {
      pos++;
      value += String.fromCharCode(code);
      if (code === 13 && text.charCodeAt(pos) === 10) {
        pos++;
        value += "\n";
      }
      lineNumber++;
      tokenLineStartOffset = pos;
      return token = 14;
    }
    switch (code) {
      // tokens: []{}:,
      case 123:
        pos++;
        return token = 1;
      case 125:
        pos++;
        return token = 2;
      case 91:
        pos++;
        return token = 3;
      case 93:
        pos++;
        return token = 4;
      case 58:
        pos++;
        return token = 6;
      case 44:
        pos++;
        return token = 5;
      // strings
      case 34:
        pos++;
        value = scanString();
        return token = 10;
      // comments
      case 47:
        const start = pos - 1;
        if (text.charCodeAt(pos + 1) === 47) {
          pos += 2;
          while (pos < len) {
            if (isLineBreak(text.charCodeAt(pos))) {
              break;
            }
            pos++;
          }
          value = text.substring(start, pos);
          return token = 12;
        }
        if (text.charCodeAt(pos + 1) === 42) {
          pos += 2;
          const safeLength = len - 1;
          let commentClosed = false;
          while (pos < safeLength) {
            const ch = text.charCodeAt(pos);
            if (ch === 42 && text.charCodeAt(pos + 1) === 47) {
              pos += 2;
              commentClosed = true;
              break;
            }
            pos++;
            if (isLineBreak(ch)) {
              if (ch === 13 && text.charCodeAt(pos) === 10) {
                pos++;
              }
              lineNumber++;
              tokenLineStartOffset = pos;
            }
          }
          if (!commentClosed) {
            pos++;
            scanError = 1;
          }
          value = text.substring(start, pos);
          return token = 13;
        }
        value += String.fromCharCode(code);
        pos++;
        return token = 16;
      // numbers
      case 45:
        value += String.fromCharCode(code);
        pos++;
        if (pos === len || !isDigit(text.charCodeAt(pos))) {
          return token = 16;
        }
      // found a minus, followed by a number so
      // we fall through to proceed with scanning
      // numbers
      case 48:
      case 49:
      case 50:
      case 51:
      case 52:
      case 53:
      case 54:
      case 55:
      case 56:
      case 57:
        value += scanNumber();
        return token = 11;
      // literals and unknown symbols
      default:
        while (pos < len && isUnknownContentCharacter(code)) {
          pos++;
          code = text.charCodeAt(pos);
        }
        if (tokenOffset !== pos) {
          value = text.substring(tokenOffset, pos);
          switch (value) {
            case "true":
              return token = 8;
            case "false":
              return token = 9;
            case "null":
              return token = 7;
          }
          return token = 16;
        }
        value += String.fromCharCode(code);
        pos++;
        return token = 16;
    }
  }
  function isUnknownContentCharacter(code) {
    if (isWhiteSpace(code) || isLineBreak(code)) {
      return false;
    }
    switch (code) {
      case 125:
      case 93:
      case 123:
      case 91:
      case 34:
      case 58:
      case 44:
      case 47:
        return false;
    }
    return true;
  }
  function scanNextNonTrivia() {
    let result2;
    do {
      result2 = scanNext();
    } while (result2 >= 12 && result2 <= 15);
    return result2;
  }
  return {
    setPosition,
    getPosition: () => pos,
    scan: ignoreTrivia ? scanNextNonTrivia : scanNext,
    getToken: () => token,
    getTokenValue: () => value,
    getTokenOffset: () => tokenOffset,
    getTokenLength: () => pos - tokenOffset,
    getTokenStartLine: () => lineStartOffset,
    getTokenStartCharacter: () => tokenOffset - prevTokenLineStartOffset,
    getTokenError: () => scanError
  };
}
function isWhiteSpace(ch) {
  return ch === 32 || ch === 9;
}
function isLineBreak(ch) {
  return ch === 10 || ch === 13;
}
function isDigit(ch) {
  return ch >= 48 && ch <= 57;
}
var CharacterCodes;
(function(CharacterCodes2) {
  CharacterCodes2[CharacterCodes2["lineFeed"] = 10] = "lineFeed";
  CharacterCodes2[CharacterCodes2["carriageReturn"] = 13] = "carriageReturn";
  CharacterCodes2[CharacterCodes2["space"] = 32] = "space";
  CharacterCodes2[CharacterCodes2["_0"] = 48] = "_0";
  CharacterCodes2[CharacterCodes2["_1"] = 49] = "_1";
  CharacterCodes2[CharacterCodes2["_2"] = 50] = "_2";
  CharacterCodes2[CharacterCodes2["_3"] = 51] = "_3";
  CharacterCodes2[CharacterCodes2["_4"] = 52] = "_4";
  CharacterCodes2[CharacterCodes2["_5"] = 53] = "_5";
  CharacterCodes2[CharacterCodes2["_6"] = 54] = "_6";
  CharacterCodes2[CharacterCodes2["_7"] = 55] = "_7";
  CharacterCodes2[CharacterCodes2["_8"] = 56] = "_8";
  CharacterCodes2[CharacterCodes2["_9"] = 57] = "_9";
  CharacterCodes2[CharacterCodes2["a"] = 97] = "a";
  CharacterCodes2[CharacterCodes2["b"] = 98] = "b";
  CharacterCodes2[CharacterCodes2["c"] = 99] = "c";
  CharacterCodes2[CharacterCodes2["d"] = 100] = "d";
  CharacterCodes2[CharacterCodes2["e"] = 101] = "e";
  CharacterCodes2[CharacterCodes2["f"] = 102] = "f";
  CharacterCodes2[CharacterCodes2["g"] = 103] = "g";
  CharacterCodes2[CharacterCodes2["h"] = 104] = "h";
  CharacterCodes2[CharacterCodes2["i"] = 105] = "i";
  CharacterCodes2[CharacterCodes2["j"] = 106] = "j";
  CharacterCodes2[CharacterCodes2["k"] = 107] = "k";
  CharacterCodes2[CharacterCodes2["l"] = 108] = "l";
  CharacterCodes2[CharacterCodes2["m"] = 109] = "m";
  CharacterCodes2[CharacterCodes2["n"] = 110] = "n";
  CharacterCodes2[CharacterCodes2["o"] = 111] = "o";
  CharacterCodes2[CharacterCodes2["p"] = 112] = "p";
  CharacterCodes2[CharacterCodes2["q"] = 113] = "q";
  CharacterCodes2[CharacterCodes2["r"] = 114] = "r";
  CharacterCodes2[CharacterCodes2["s"] = 115] = "s";
  CharacterCodes2[CharacterCodes2["t"] = 116] = "t";
  CharacterCodes2[CharacterCodes2["u"] = 117] = "u";
  CharacterCodes2[CharacterCodes2["v"] = 118] = "v";
  CharacterCodes2[CharacterCodes2["w"] = 119] = "w";
  CharacterCodes2[CharacterCodes2["x"] = 120] = "x";
  CharacterCodes2[CharacterCodes2["y"] = 121] = "y";
  CharacterCodes2[CharacterCodes2["z"] = 122] = "z";
  CharacterCodes2[CharacterCodes2["A"] = 65] = "A";
  CharacterCodes2[CharacterCodes2["B"] = 66] = "B";
  CharacterCodes2[CharacterCodes2["C"] = 67] = "C";
  CharacterCodes2[CharacterCodes2["D"] = 68] = "D";
  CharacterCodes2[CharacterCodes2["E"] = 69] = "E";
  CharacterCodes2[CharacterCodes2["F"] = 70] = "F";
  CharacterCodes2[CharacterCodes2["G"] = 71] = "G";
  CharacterCodes2[CharacterCodes2["H"] = 72] = "H";
  CharacterCodes2[CharacterCodes2["I"] = 73] = "I";
  CharacterCodes2[CharacterCodes2["J"] = 74] = "J";
  CharacterCodes2[CharacterCodes2["K"] = 75] = "K";
  CharacterCodes2[CharacterCodes2["L"] = 76] = "L";
  CharacterCodes2[CharacterCodes2["M"] = 77] = "M";
  CharacterCodes2[CharacterCodes2["N"] = 78] = "N";
  CharacterCodes2[CharacterCodes2["O"] = 79] = "O";
  CharacterCodes2[CharacterCodes2["P"] = 80] = "P";
  CharacterCodes2[CharacterCodes2["Q"] = 81] = "Q";
  CharacterCodes2[CharacterCodes2["R"] = 82] = "R";
  CharacterCodes2[CharacterCodes2["S"] = 83] = "S";
  CharacterCodes2[CharacterCodes2["T"] = 84] = "T";
  CharacterCodes2[CharacterCodes2["U"] = 85] = "U";
  CharacterCodes2[CharacterCodes2["V"] = 86] = "V";
  CharacterCodes2[CharacterCodes2["W"] = 87] = "W";
  CharacterCodes2[CharacterCodes2["X"] = 88] = "X";
  CharacterCodes2[CharacterCodes2["Y"] = 89] = "Y";
  CharacterCodes2[CharacterCodes2["Z"] = 90] = "Z";
  CharacterCodes2[CharacterCodes2["asterisk"] = 42] = "asterisk";
  CharacterCodes2[CharacterCodes2["backslash"] = 92] = "backslash";
  CharacterCodes2[CharacterCodes2["closeBrace"] = 125] = "closeBrace";
  CharacterCodes2[CharacterCodes2["closeBracket"] = 93] = "closeBracket";
  CharacterCodes2[CharacterCodes2["colon"] = 58] = "colon";
  CharacterCodes2[CharacterCodes2["comma"] = 44] = "comma";
  CharacterCodes2[CharacterCodes2["dot"] = 46] = "dot";
  CharacterCodes2[CharacterCodes2["doubleQuote"] = 34] = "doubleQuote";
  CharacterCodes2[CharacterCodes2["minus"] = 45] = "minus";
  CharacterCodes2[CharacterCodes2["openBrace"] = 123] = "openBrace";
  CharacterCodes2[CharacterCodes2["openBracket"] = 91] = "openBracket";
  CharacterCodes2[CharacterCodes2["plus"] = 43] = "plus";
  CharacterCodes2[CharacterCodes2["slash"] = 47] = "slash";
  CharacterCodes2[CharacterCodes2["formFeed"] = 12] = "formFeed";
  CharacterCodes2[CharacterCodes2["tab"] = 9] = "tab";
})(CharacterCodes || (CharacterCodes = {}));

// ../../../../work/main/node_modules/jsonc-parser/lib/esm/impl/string-intern.js
var cachedSpaces = new Array(20).fill(0).map((_, index) => {
  return " ".repeat(index);
});
var maxCachedValues = 200;
var cachedBreakLinesWithSpaces = {
  " ": {
    "\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\n" + " ".repeat(index);
    }),
    "\r": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r" + " ".repeat(index);
    }),
    "\r\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r\n" + " ".repeat(index);
    })
  },
  "	": {
    "\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\n" + "	".repeat(index);
    }),
    "\r": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r" + "	".repeat(index);
    }),
    "\r\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r\n" + "	".repeat(index);
    })
  }
};

// ../../../../work/main/node_modules/jsonc-parser/lib/esm/impl/parser.js
var ParseOptions;
(function(ParseOptions2) {
  ParseOptions2.DEFAULT = {
    allowTrailingComma: false
  };
})(ParseOptions || (ParseOptions = {}));
function parseTree(text, errors = [], options2 = ParseOptions.DEFAULT) {
  let currentParent = { type: "array", offset: -1, length: -1, children: [], parent: void 0 };
  function ensurePropertyComplete(endOffset) {
    if (currentParent.type === "property") {
      currentParent.length = endOffset - currentParent.offset;
      currentParent = currentParent.parent;
    }
  }
  function onValue(valueNode) {
    currentParent.children.push(valueNode);
    return valueNode;
  }
  const visitor = {
    onObjectBegin: (offset) => {
      currentParent = onValue({ type: "object", offset, length: -1, parent: currentParent, children: [] });
    },
    onObjectProperty: (name2, offset, length) => {
      currentParent = onValue({ type: "property", offset, length: -1, parent: currentParent, children: [] });
      currentParent.children.push({ type: "string", value: name2, offset, length, parent: currentParent });
    },
    onObjectEnd: (offset, length) => {
      ensurePropertyComplete(offset + length);
      currentParent.length = offset + length - currentParent.offset;
      currentParent = currentParent.parent;
      ensurePropertyComplete(offset + length);
    },
    onArrayBegin: (offset, length) => {
      currentParent = onValue({ type: "array", offset, length: -1, parent: currentParent, children: [] });
    },
    onArrayEnd: (offset, length) => {
      currentParent.length = offset + length - currentParent.offset;
      currentParent = currentParent.parent;
      ensurePropertyComplete(offset + length);
    },
    onLiteralValue: (value, offset, length) => {
      onValue({ type: getNodeType(value), offset, length, parent: currentParent, value });
      ensurePropertyComplete(offset + length);
    },
    onSeparator: (sep, offset, length) => {
      if (currentParent.type === "property") {
        if (sep === ":") {
          currentParent.colonOffset = offset;
        } else if (sep === ",") {
          ensurePropertyComplete(offset);
        }
      }
    },
    onError: (error, offset, length) => {
      errors.push({ error, offset, length });
    }
  };
  visit(text, visitor, options2);
  const result2 = currentParent.children[0];
  if (result2) {
    delete result2.parent;
  }
  return result2;
}
function visit(text, visitor, options2 = ParseOptions.DEFAULT) {
  const _scanner = createScanner(text, false);
  const _jsonPath = [];
  let suppressedCallbacks = 0;
  function toNoArgVisit(visitFunction) {
    return visitFunction ? () => suppressedCallbacks === 0 && visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter()) : () => true;
  }
  function toOneArgVisit(visitFunction) {
    return visitFunction ? (arg) => suppressedCallbacks === 0 && visitFunction(arg, _scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter()) : () => true;
  }
  function toOneArgVisitWithPath(visitFunction) {
    return visitFunction ? (arg) => suppressedCallbacks === 0 && visitFunction(arg, _scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter(), () => _jsonPath.slice()) : () => true;
  }
  function toBeginVisit(visitFunction) {
    return visitFunction ? () => {
      if (suppressedCallbacks > 0) {
        suppressedCallbacks++;
      } else {
        let cbReturn = visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter(), () => _jsonPath.slice());
        if (cbReturn === false) {
          suppressedCallbacks = 1;
        }
      }
    } : () => true;
  }
  function toEndVisit(visitFunction) {
    return visitFunction ? () => {
      if (suppressedCallbacks > 0) {
        suppressedCallbacks--;
      }
      if (suppressedCallbacks === 0) {
        visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter());
      }
    } : () => true;
  }
  const onObjectBegin = toBeginVisit(visitor.onObjectBegin), onObjectProperty = toOneArgVisitWithPath(visitor.onObjectProperty), onObjectEnd = toEndVisit(visitor.onObjectEnd), onArrayBegin = toBeginVisit(visitor.onArrayBegin), onArrayEnd = toEndVisit(visitor.onArrayEnd), onLiteralValue = toOneArgVisitWithPath(visitor.onLiteralValue), onSeparator = toOneArgVisit(visitor.onSeparator), onComment = toNoArgVisit(visitor.onComment), onError = toOneArgVisit(visitor.onError);
  const disallowComments = options2 && options2.disallowComments;
  const allowTrailingComma = options2 && options2.allowTrailingComma;
  function scanNext() {
    while (true) {
      const token = _scanner.scan();
      switch (_scanner.getTokenError()) {
        case 4:
          handleError(
            14
            /* ParseErrorCode.InvalidUnicode */
          );
          break;
        case 5:
          handleError(
            15
            /* ParseErrorCode.InvalidEscapeCharacter */
          );
          break;
        case 3:
          handleError(
            13
            /* ParseErrorCode.UnexpectedEndOfNumber */
          );
          break;
        case 1:
          if (!disallowComments) {
            handleError(
              11
              /* ParseErrorCode.UnexpectedEndOfComment */
            );
          }
          break;
        case 2:
          handleError(
            12
            /* ParseErrorCode.UnexpectedEndOfString */
          );
          break;
        case 6:
          handleError(
            16
            /* ParseErrorCode.InvalidCharacter */
          );
          break;
      }
      switch (token) {
        case 12:
        case 13:
          if (disallowComments) {
            handleError(
              10
              /* ParseErrorCode.InvalidCommentToken */
            );
          } else {
            onComment();
          }
          break;
        case 16:
          handleError(
            1
            /* ParseErrorCode.InvalidSymbol */
          );
          break;
        case 15:
        case 14:
          break;
        default:
          return token;
      }
    }
  }
  function handleError(error, skipUntilAfter = [], skipUntil = []) {
    onError(error);
    if (skipUntilAfter.length + skipUntil.length > 0) {
      let token = _scanner.getToken();
      while (token !== 17) {
        if (skipUntilAfter.indexOf(token) !== -1) {
          scanNext();
          break;
        } else if (skipUntil.indexOf(token) !== -1) {
          break;
        }
        token = scanNext();
      }
    }
  }
  function parseString(isValue2) {
    const value = _scanner.getTokenValue();
    if (isValue2) {
      onLiteralValue(value);
    } else {
      onObjectProperty(value);
      _jsonPath.push(value);
    }
    scanNext();
    return true;
  }
  function parseLiteral() {
    switch (_scanner.getToken()) {
      case 11:
        const tokenValue = _scanner.getTokenValue();
        let value = Number(tokenValue);
        if (isNaN(value)) {
          handleError(
            2
            /* ParseErrorCode.InvalidNumberFormat */
          );
          value = 0;
        }
        onLiteralValue(value);
        break;
      case 7:
        onLiteralValue(null);
        break;
      case 8:
        onLiteralValue(true);
        break;
      case 9:
        onLiteralValue(false);
        break;
      default:
        return false;
    }
    scanNext();
    return true;
  }
  function parseProperty() {
    if (_scanner.getToken() !== 10) {
      handleError(3, [], [
        2,
        5
        /* SyntaxKind.CommaToken */
      ]);
      return false;
    }
    parseString(false);
    if (_scanner.getToken() === 6) {
      onSeparator(":");
      scanNext();
      if (!parseValue()) {
        handleError(4, [], [
          2,
          5
          /* SyntaxKind.CommaToken */
        ]);
      }
    } else {
      handleError(5, [], [
        2,
        5
        /* SyntaxKind.CommaToken */
      ]);
    }
    _jsonPath.pop();
    return true;
  }
  function parseObject() {
    onObjectBegin();
    scanNext();
    let needsComma = false;
    while (_scanner.getToken() !== 2 && _scanner.getToken() !== 17) {
      if (_scanner.getToken() === 5) {
        if (!needsComma) {
          handleError(4, [], []);
        }
        onSeparator(",");
        scanNext();
        if (_scanner.getToken() === 2 && allowTrailingComma) {
          break;
        }
      } else if (needsComma) {
        handleError(6, [], []);
      }
      if (!parseProperty()) {
        handleError(4, [], [
          2,
          5
          /* SyntaxKind.CommaToken */
        ]);
      }
      needsComma = true;
    }
    onObjectEnd();
    if (_scanner.getToken() !== 2) {
      handleError(7, [
        2
        /* SyntaxKind.CloseBraceToken */
      ], []);
    } else {
      scanNext();
    }
    return true;
  }
  function parseArray() {
    onArrayBegin();
    scanNext();
    let isFirstElement = true;
    let needsComma = false;
    while (_scanner.getToken() !== 4 && _scanner.getToken() !== 17) {
      if (_scanner.getToken() === 5) {
        if (!needsComma) {
          handleError(4, [], []);
        }
        onSeparator(",");
        scanNext();
        if (_scanner.getToken() === 4 && allowTrailingComma) {
          break;
        }
      } else if (needsComma) {
        handleError(6, [], []);
      }
      if (isFirstElement) {
        _jsonPath.push(0);
        isFirstElement = false;
      } else {
        _jsonPath[_jsonPath.length - 1]++;
      }
      if (!parseValue()) {
        handleError(4, [], [
          4,
          5
          /* SyntaxKind.CommaToken */
        ]);
      }
      needsComma = true;
    }
    onArrayEnd();
    if (!isFirstElement) {
      _jsonPath.pop();
    }
    if (_scanner.getToken() !== 4) {
      handleError(8, [
        4
        /* SyntaxKind.CloseBracketToken */
      ], []);
    } else {
      scanNext();
    }
    return true;
  }
  function parseValue() {
    switch (_scanner.getToken()) {
      case 3:
        return parseArray();
      case 1:
        return parseObject();
      case 10:
        return parseString(true);
      default:
        return parseLiteral();
    }
  }
  scanNext();
  if (_scanner.getToken() === 17) {
    if (options2.allowEmptyContent) {
      return true;
    }
    handleError(4, [], []);
    return false;
  }
  if (!parseValue()) {
    handleError(4, [], []);
    return false;
  }
  if (_scanner.getToken() !== 17) {
    handleError(9, [], []);
  }
  return true;
}
function getNodeType(value) {
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    case "string":
      return "string";
    case "object": {
      if (!value) {
        return "null";
      } else if (Array.isArray(value)) {
        return "array";
      }
      return "object";
    }
    default:
      return "null";
  }
}

// ../../../../work/main/node_modules/jsonc-parser/lib/esm/main.js
var createScanner2 = createScanner;
var ScanError;
(function(ScanError2) {
  ScanError2[ScanError2["None"] = 0] = "None";
  ScanError2[ScanError2["UnexpectedEndOfComment"] = 1] = "UnexpectedEndOfComment";
  ScanError2[ScanError2["UnexpectedEndOfString"] = 2] = "UnexpectedEndOfString";
  ScanError2[ScanError2["UnexpectedEndOfNumber"] = 3] = "UnexpectedEndOfNumber";
  ScanError2[ScanError2["InvalidUnicode"] = 4] = "InvalidUnicode";
  ScanError2[ScanError2["InvalidEscapeCharacter"] = 5] = "InvalidEscapeCharacter";
  ScanError2[ScanError2["InvalidCharacter"] = 6] = "InvalidCharacter";
})(ScanError || (ScanError = {}));
var SyntaxKind;
(function(SyntaxKind2) {
  SyntaxKind2[SyntaxKind2["OpenBraceToken"] = 1] = "OpenBraceToken";
  SyntaxKind2[SyntaxKind2["CloseBraceToken"] = 2] = "CloseBraceToken";
  SyntaxKind2[SyntaxKind2["OpenBracketToken"] = 3] = "OpenBracketToken";
  SyntaxKind2[SyntaxKind2["CloseBracketToken"] = 4] = "CloseBracketToken";
  SyntaxKind2[SyntaxKind2["CommaToken"] = 5] = "CommaToken";
  SyntaxKind2[SyntaxKind2["ColonToken"] = 6] = "ColonToken";
  SyntaxKind2[SyntaxKind2["NullKeyword"] = 7] = "NullKeyword";
  SyntaxKind2[SyntaxKind2["TrueKeyword"] = 8] = "TrueKeyword";
  SyntaxKind2[SyntaxKind2["FalseKeyword"] = 9] = "FalseKeyword";
  SyntaxKind2[SyntaxKind2["StringLiteral"] = 10] = "StringLiteral";
  SyntaxKind2[SyntaxKind2["NumericLiteral"] = 11] = "NumericLiteral";
  SyntaxKind2[SyntaxKind2["LineCommentTrivia"] = 12] = "LineCommentTrivia";
  SyntaxKind2[SyntaxKind2["BlockCommentTrivia"] = 13] = "BlockCommentTrivia";
  SyntaxKind2[SyntaxKind2["LineBreakTrivia"] = 14] = "LineBreakTrivia";
  SyntaxKind2[SyntaxKind2["Trivia"] = 15] = "Trivia";
  SyntaxKind2[SyntaxKind2["Unknown"] = 16] = "Unknown";
  SyntaxKind2[SyntaxKind2["EOF"] = 17] = "EOF";
})(SyntaxKind || (SyntaxKind = {}));
var parseTree2 = parseTree;
var ParseErrorCode;
(function(ParseErrorCode2) {
  ParseErrorCode2[ParseErrorCode2["InvalidSymbol"] = 1] = "InvalidSymbol";
  ParseErrorCode2[ParseErrorCode2["InvalidNumberFormat"] = 2] = "InvalidNumberFormat";
  ParseErrorCode2[ParseErrorCode2["PropertyNameExpected"] = 3] = "PropertyNameExpected";
  ParseErrorCode2[ParseErrorCode2["ValueExpected"] = 4] = "ValueExpected";
  ParseErrorCode2[ParseErrorCode2["ColonExpected"] = 5] = "ColonExpected";
  ParseErrorCode2[ParseErrorCode2["CommaExpected"] = 6] = "CommaExpected";
  ParseErrorCode2[ParseErrorCode2["CloseBraceExpected"] = 7] = "CloseBraceExpected";
  ParseErrorCode2[ParseErrorCode2["CloseBracketExpected"] = 8] = "CloseBracketExpected";
  ParseErrorCode2[ParseErrorCode2["EndOfFileExpected"] = 9] = "EndOfFileExpected";
  ParseErrorCode2[ParseErrorCode2["InvalidCommentToken"] = 10] = "InvalidCommentToken";
  ParseErrorCode2[ParseErrorCode2["UnexpectedEndOfComment"] = 11] = "UnexpectedEndOfComment";
  ParseErrorCode2[ParseErrorCode2["UnexpectedEndOfString"] = 12] = "UnexpectedEndOfString";
  ParseErrorCode2[ParseErrorCode2["UnexpectedEndOfNumber"] = 13] = "UnexpectedEndOfNumber";
  ParseErrorCode2[ParseErrorCode2["InvalidUnicode"] = 14] = "InvalidUnicode";
  ParseErrorCode2[ParseErrorCode2["InvalidEscapeCharacter"] = 15] = "InvalidEscapeCharacter";
  ParseErrorCode2[ParseErrorCode2["InvalidCharacter"] = 16] = "InvalidCharacter";
})(ParseErrorCode || (ParseErrorCode = {}));

// source/languages/config/json-keys.ts
var DEEPEST2 = 200;
function jsonFacts(text) {
  const list = new KeyList(text);
  const tooDeep = deepPlace(text);
  if (tooDeep !== null) {
    list.wrong(tooDeep);
    return list.facts("json");
  }
  const errors = [];
  const root = parseTree2(text, errors, { allowTrailingComma: true });
  for (const { offset } of errors) list.wrong(offset);
  if (root) addKeys(list, root, [], null);
  return list.facts("json");
}
function deepPlace(text) {
  const scanner = createScanner2(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END2; token = scanner.scan()) {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) depth += 1;
    if (token === CLOSE_BRACE || token === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST2) return scanner.getTokenOffset();
  }
  return null;
}
var OPEN_BRACE = 1;
var CLOSE_BRACE = 2;
var OPEN_BRACKET = 3;
var CLOSE_BRACKET = 4;
var END2 = 17;
function addKeys(list, { type, children }, path, parent) {
  if (type !== "object") return;
  for (const property2 of children ?? []) {
    const [key, value] = property2.children ?? [];
    if (!key) continue;
    const parts = [...path, String(key.value)];
    const end = value ? endOf(value) : endOf(key);
    const shown = value && value.type !== "object" ? [value.offset, end] : null;
    const number = list.add(parts, parent, [key.offset, end], shown);
    if (value && number !== null) addKeys(list, value, parts, number);
  }
}
function endOf({ offset, length }) {
  return offset + length;
}

// ../../../../work/main/node_modules/eslint-visitor-keys/lib/visitor-keys.js
var KEYS2 = {
  ArrayExpression: ["elements"],
  ArrayPattern: ["elements"],
  ArrowFunctionExpression: ["params", "body"],
  AssignmentExpression: ["left", "right"],
  AssignmentPattern: ["left", "right"],
  AwaitExpression: ["argument"],
  BinaryExpression: ["left", "right"],
  BlockStatement: ["body"],
  BreakStatement: ["label"],
  CallExpression: ["callee", "arguments"],
  CatchClause: ["param", "body"],
  ChainExpression: ["expression"],
  ClassBody: ["body"],
  ClassDeclaration: ["id", "superClass", "body"],
  ClassExpression: ["id", "superClass", "body"],
  ConditionalExpression: ["test", "consequent", "alternate"],
  ContinueStatement: ["label"],
  DebuggerStatement: [],
  DoWhileStatement: ["body", "test"],
  EmptyStatement: [],
  ExperimentalRestProperty: ["argument"],
  ExperimentalSpreadProperty: ["argument"],
  ExportAllDeclaration: ["exported", "source", "attributes"],
  ExportDefaultDeclaration: ["declaration"],
  ExportNamedDeclaration: [
    "declaration",
    "specifiers",
    "source",
    "attributes"
  ],
  ExportSpecifier: ["local", "exported"],
  ExpressionStatement: ["expression"],
  ForInStatement: ["left", "right", "body"],
  ForOfStatement: ["left", "right", "body"],
  ForStatement: ["init", "test", "update", "body"],
  FunctionDeclaration: ["id", "params", "body"],
  FunctionExpression: ["id", "params", "body"],
  Identifier: [],
  IfStatement: ["test", "consequent", "alternate"],
  ImportAttribute: ["key", "value"],
  ImportDeclaration: ["specifiers", "source", "attributes"],
  ImportDefaultSpecifier: ["local"],
  ImportExpression: ["source", "options"],
  ImportNamespaceSpecifier: ["local"],
  ImportSpecifier: ["imported", "local"],
  JSXAttribute: ["name", "value"],
  JSXClosingElement: ["name"],
  JSXClosingFragment: [],
  JSXElement: ["openingElement", "children", "closingElement"],
  JSXEmptyExpression: [],
  JSXExpressionContainer: ["expression"],
  JSXFragment: ["openingFragment", "children", "closingFragment"],
  JSXIdentifier: [],
  JSXMemberExpression: ["object", "property"],
  JSXNamespacedName: ["namespace", "name"],
  JSXOpeningElement: ["name", "attributes"],
  JSXOpeningFragment: [],
  JSXSpreadAttribute: ["argument"],
  JSXSpreadChild: ["expression"],
  JSXText: [],
  LabeledStatement: ["label", "body"],
  Literal: [],
  LogicalExpression: ["left", "right"],
  MemberExpression: ["object", "property"],
  MetaProperty: ["meta", "property"],
  MethodDefinition: ["key", "value"],
  NewExpression: ["callee", "arguments"],
  ObjectExpression: ["properties"],
  ObjectPattern: ["properties"],
  PrivateIdentifier: [],
  Program: ["body"],
  Property: ["key", "value"],
  PropertyDefinition: ["key", "value"],
  RestElement: ["argument"],
  ReturnStatement: ["argument"],
  SequenceExpression: ["expressions"],
  SpreadElement: ["argument"],
  StaticBlock: ["body"],
  Super: [],
  SwitchCase: ["test", "consequent"],
  SwitchStatement: ["discriminant", "cases"],
  TaggedTemplateExpression: ["tag", "quasi"],
  TemplateElement: [],
  TemplateLiteral: ["quasis", "expressions"],
  ThisExpression: [],
  ThrowStatement: ["argument"],
  TryStatement: ["block", "handler", "finalizer"],
  UnaryExpression: ["argument"],
  UpdateExpression: ["argument"],
  VariableDeclaration: ["declarations"],
  VariableDeclarator: ["id", "init"],
  WhileStatement: ["test", "body"],
  WithStatement: ["object", "body"],
  YieldExpression: ["argument"]
};
var NODE_TYPES = Object.keys(KEYS2);
for (const type of NODE_TYPES) {
  Object.freeze(KEYS2[type]);
}
Object.freeze(KEYS2);
var visitor_keys_default = KEYS2;

// ../../../../work/main/node_modules/eslint-visitor-keys/lib/index.js
function unionWith(additionalKeys) {
  const retv = (
    /** @type {{ [type: string]: ReadonlyArray<string> }} */
    Object.assign({}, visitor_keys_default)
  );
  for (const type of Object.keys(additionalKeys)) {
    if (Object.hasOwn(retv, type)) {
      const keys = new Set(additionalKeys[type]);
      for (const key of retv[type]) {
        keys.add(key);
      }
      retv[type] = Object.freeze(Array.from(keys));
    } else {
      retv[type] = Object.freeze(Array.from(additionalKeys[type]));
    }
  }
  return Object.freeze(retv);
}

// ../../../../work/main/node_modules/toml-eslint-parser/lib/index.mjs
function last(arr) {
  return arr[arr.length - 1] ?? null;
}
function toKeyName(node) {
  return node.type === "TOMLBare" ? node.name : node.value;
}
var TOMLVerImpl = class {
  constructor(major, minor) {
    this.major = major;
    this.minor = minor;
  }
  lt(major, minor) {
    return this.major < major || this.major === major && this.minor < minor;
  }
  gte(major, minor) {
    return this.major > major || this.major === major && this.minor >= minor;
  }
};
var TOML_VERSION_1_0 = new TOMLVerImpl(1, 0);
var TOML_VERSION_1_1 = new TOMLVerImpl(1, 1);
var DEFAULT_TOML_VERSION = TOML_VERSION_1_1;
var SUPPORTED_TOML_VERSIONS = {
  "1.0": TOML_VERSION_1_0,
  "1.0.0": TOML_VERSION_1_0,
  "1.1": TOML_VERSION_1_1,
  "1.1.0": TOML_VERSION_1_1,
  latest: TOML_VERSION_1_1,
  next: TOML_VERSION_1_1
};
function getTOMLVer(v) {
  return v && SUPPORTED_TOML_VERSIONS[v] || DEFAULT_TOML_VERSION;
}
var MESSAGES = {
  "unterminated-string": "Unterminated string constant",
  "unterminated-table-key": "Unterminated table-key",
  "unterminated-array": "Unterminated array",
  "unterminated-inline-table": "Unterminated inline table",
  "missing-key": "Empty bare keys are not allowed",
  "missing-newline": "Must be a newline",
  "missing-equals-sign": "Expected equal (=) token",
  "missing-value": "Unspecified values are invalid",
  "missing-comma": "Expected comma (,) token",
  "dupe-keys": "Defining a key multiple times is invalid",
  "unexpected-char": "Unexpected character",
  "unexpected-token": "Unexpected token",
  "invalid-control-character": "Control characters (codes < 0x1f and 0x7f) are not allowed",
  "invalid-comment-character": "Invalid code point {{cp}} within comments",
  "invalid-key-value-newline": "The key, equals sign, and value must be on the same line",
  "invalid-inline-table-newline": "No newlines are allowed between the curly braces unless they are valid within a value",
  "invalid-underscore": "Underscores are allowed between digits",
  "invalid-space": "Unexpected spaces",
  "invalid-three-quotes": "Three or more quotes are not permitted",
  "invalid-date": "Unexpected invalid date",
  "invalid-time": "Unexpected invalid time",
  "invalid-leading-zero": "Leading zeros are not allowed",
  "invalid-trailing-comma-in-inline-table": "Trailing comma is not permitted in an inline table",
  "invalid-char-in-escape-sequence": "Invalid character in escape sequence",
  "invalid-consecutive-dots-in-key": "Consecutive dots are not permitted in keys",
  "invalid-code-point": "Invalid code point {{cp}}",
  "invalid-trailing-dot-in-key": "Keys cannot end with a dot",
  "invalid-leading-dot-in-key": "Keys cannot start with a dot"
};
function getMessage(code, data) {
  if (data) return MESSAGES[code].replace(/\{\{(.*?)\}\}/gu, (_, name$2) => {
    if (name$2 in data) return data[name$2];
    return `{{${name$2}}}`;
  });
  return MESSAGES[code];
}
var ParseError = class extends SyntaxError {
  /**
  * Initialize this ParseError instance.
  *
  */
  constructor(code, offset, line, column, data) {
    super(getMessage(code, data));
    this.index = offset;
    this.lineNumber = line;
    this.column = column;
  }
};
var CodePoint = {
  EOF: -1,
  NULL: 0,
  SOH: 1,
  BACKSPACE: 8,
  TABULATION: 9,
  LINE_FEED: 10,
  FORM_FEED: 12,
  CARRIAGE_RETURN: 13,
  ESCAPE: 27,
  SO: 14,
  US: 31,
  SPACE: 32,
  QUOTATION_MARK: 34,
  HASH: 35,
  SINGLE_QUOTE: 39,
  PLUS_SIGN: 43,
  COMMA: 44,
  DASH: 45,
  DOT: 46,
  DIGIT_0: 48,
  DIGIT_1: 49,
  DIGIT_2: 50,
  DIGIT_3: 51,
  DIGIT_7: 55,
  DIGIT_9: 57,
  COLON: 58,
  EQUALS_SIGN: 61,
  LATIN_CAPITAL_A: 65,
  LATIN_CAPITAL_E: 69,
  LATIN_CAPITAL_F: 70,
  LATIN_CAPITAL_T: 84,
  LATIN_CAPITAL_U: 85,
  LATIN_CAPITAL_Z: 90,
  LEFT_BRACKET: 91,
  BACKSLASH: 92,
  RIGHT_BRACKET: 93,
  UNDERSCORE: 95,
  LATIN_SMALL_A: 97,
  LATIN_SMALL_B: 98,
  LATIN_SMALL_E: 101,
  LATIN_SMALL_F: 102,
  LATIN_SMALL_I: 105,
  LATIN_SMALL_L: 108,
  LATIN_SMALL_N: 110,
  LATIN_SMALL_O: 111,
  LATIN_SMALL_R: 114,
  LATIN_SMALL_S: 115,
  LATIN_SMALL_T: 116,
  LATIN_SMALL_U: 117,
  LATIN_SMALL_X: 120,
  LATIN_SMALL_Z: 122,
  LEFT_BRACE: 123,
  RIGHT_BRACE: 125,
  TILDE: 126,
  DELETE: 127,
  PAD: 128,
  SUPERSCRIPT_TWO: 178,
  SUPERSCRIPT_THREE: 179,
  SUPERSCRIPT_ONE: 185,
  VULGAR_FRACTION_ONE_QUARTER: 188,
  VULGAR_FRACTION_THREE_QUARTERS: 190,
  LATIN_CAPITAL_LETTER_A_WITH_GRAVE: 192,
  LATIN_CAPITAL_LETTER_O_WITH_DIAERESIS: 214,
  LATIN_CAPITAL_LETTER_O_WITH_STROKE: 216,
  LATIN_SMALL_LETTER_O_WITH_DIAERESIS: 246,
  LATIN_SMALL_LETTER_O_WITH_STROKE: 248,
  GREEK_SMALL_REVERSED_DOTTED_LUNATE_SIGMA_SYMBOL: 891,
  GREEK_CAPITAL_LETTER_YOT: 895,
  CP_1FFF: 8191,
  ZERO_WIDTH_NON_JOINER: 8204,
  ZERO_WIDTH_JOINER: 8205,
  UNDERTIE: 8255,
  CHARACTER_TIE: 8256,
  SUPERSCRIPT_ZERO: 8304,
  CP_218F: 8591,
  CIRCLED_DIGIT_ONE: 9312,
  NEGATIVE_CIRCLED_DIGIT_ZERO: 9471,
  GLAGOLITIC_CAPITAL_LETTER_AZU: 11264,
  CP_2FEF: 12271,
  IDEOGRAPHIC_COMMA: 12289,
  CP_D7FF: 55295,
  CP_E000: 57344,
  CJK_COMPATIBILITY_IDEOGRAPH_F900: 63744,
  ARABIC_LIGATURE_SALAAMUHU_ALAYNAA: 64975,
  ARABIC_LIGATURE_SALLA_USED_AS_KORANIC_STOP_SIGN_ISOLATED_FORM: 65008,
  REPLACEMENT_CHARACTER: 65533,
  LINEAR_B_SYLLABLE_B008_A: 65536,
  CP_EFFFF: 983039,
  CP_10FFFF: 1114111
};
function isControl(cp) {
  return cp >= CodePoint.NULL && cp <= CodePoint.US;
}
function isWhitespace(cp) {
  return cp === CodePoint.TABULATION || cp === CodePoint.SPACE;
}
function isEOL2(cp) {
  return cp === CodePoint.LINE_FEED || cp === CodePoint.CARRIAGE_RETURN;
}
function isUpperLetter(cp) {
  return cp >= CodePoint.LATIN_CAPITAL_A && cp <= CodePoint.LATIN_CAPITAL_Z;
}
function isLowerLetter(cp) {
  return cp >= CodePoint.LATIN_SMALL_A && cp <= CodePoint.LATIN_SMALL_Z;
}
function isLetter(cp) {
  return isLowerLetter(cp) || isUpperLetter(cp);
}
function isDigit2(cp) {
  return cp >= CodePoint.DIGIT_0 && cp <= CodePoint.DIGIT_9;
}
function isHexDig(cp) {
  return isDigit2(cp) || cp >= CodePoint.LATIN_SMALL_A && cp <= CodePoint.LATIN_SMALL_F || cp >= CodePoint.LATIN_CAPITAL_A && cp <= CodePoint.LATIN_CAPITAL_F;
}
function isOctalDig(cp) {
  return cp >= CodePoint.DIGIT_0 && cp <= CodePoint.DIGIT_7;
}
function isUnicodeScalarValue(cp) {
  return cp >= 0 && cp <= 55295 || cp >= 57344 && cp <= 1114111;
}
function sortedLastIndex(array, value) {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const mid = low + high >>> 1;
    const val = array[mid];
    if (val === value) return mid + 1;
    if (val < value) low = mid + 1;
    else high = mid;
  }
  return low;
}
var Locations = class {
  constructor() {
    this.offsets = [];
  }
  addOffset(offset) {
    for (let i = this.offsets.length - 1; i >= 0; i--) {
      const element4 = this.offsets[i];
      if (element4 === offset) return;
      if (element4 < offset) break;
    }
    this.offsets.push(offset);
  }
  /**
  * Calculate the location of the given index.
  * @param index The index to calculate their location.
  * @returns The location of the index.
  */
  getLocFromIndex(offset) {
    const line = sortedLastIndex(this.offsets, offset) + 1;
    return {
      line,
      column: offset - (line === 1 ? 0 : this.offsets[line - 2])
    };
  }
};
var CodePointIterator = class {
  /**
  * Initialize this char iterator.
  */
  constructor(text) {
    this.locs = new Locations();
    this.lastCodePoint = CodePoint.NULL;
    this.start = -1;
    this.end = 0;
    this.text = text;
  }
  next() {
    if (this.lastCodePoint === CodePoint.EOF) return CodePoint.EOF;
    return this.lastCodePoint = this.moveAt(this.end);
  }
  getLocFromIndex(index) {
    return this.locs.getLocFromIndex(index);
  }
  eat(cp) {
    if (this.text.codePointAt(this.end) === cp) {
      this.next();
      return true;
    }
    return false;
  }
  moveAt(offset) {
    this.start = this.end = offset;
    const cp = this.text.codePointAt(this.start) ?? CodePoint.EOF;
    if (cp === CodePoint.EOF) {
      this.end = this.start;
      return cp;
    }
    this.end += cp >= 65536 ? 2 : 1;
    if (cp === CodePoint.LINE_FEED) this.locs.addOffset(this.end);
    else if (cp === CodePoint.CARRIAGE_RETURN) {
      if (this.text.codePointAt(this.end) === CodePoint.LINE_FEED) {
        this.end++;
        this.locs.addOffset(this.end);
      }
      return CodePoint.LINE_FEED;
    }
    return cp;
  }
};
var HAS_BIGINT = typeof BigInt !== "undefined";
var RADIX_PREFIXES = {
  16: "0x",
  10: "",
  8: "0o",
  2: "0b"
};
var ESCAPES_1_0 = {
  [CodePoint.QUOTATION_MARK]: CodePoint.QUOTATION_MARK,
  [CodePoint.BACKSLASH]: CodePoint.BACKSLASH,
  [CodePoint.LATIN_SMALL_B]: CodePoint.BACKSPACE,
  [CodePoint.LATIN_SMALL_F]: CodePoint.FORM_FEED,
  [CodePoint.LATIN_SMALL_N]: CodePoint.LINE_FEED,
  [CodePoint.LATIN_SMALL_R]: CodePoint.CARRIAGE_RETURN,
  [CodePoint.LATIN_SMALL_T]: CodePoint.TABULATION
};
var ESCAPES_LATEST = {
  ...ESCAPES_1_0,
  [CodePoint.LATIN_SMALL_E]: CodePoint.ESCAPE
};
var Tokenizer = class {
  /**
  * Initialize this tokenizer.
  */
  constructor(text, parserOptions) {
    this.backCode = false;
    this.lastCodePoint = CodePoint.NULL;
    this.state = "DATA";
    this.token = null;
    this.tokenStart = -1;
    this.valuesEnabled = false;
    this.text = text;
    this.parserOptions = parserOptions || {};
    this.codePointIterator = new CodePointIterator(text);
    this.tomlVersion = getTOMLVer(this.parserOptions.tomlVersion);
    this.ESCAPES = this.tomlVersion.gte(1, 1) ? ESCAPES_LATEST : ESCAPES_1_0;
  }
  get start() {
    return this.codePointIterator.start;
  }
  get end() {
    return this.codePointIterator.end;
  }
  getLocFromIndex(index) {
    return this.codePointIterator.getLocFromIndex(index);
  }
  /**
  * Report an invalid character error.
  */
  reportParseError(code, data) {
    const offset = this.codePointIterator.start;
    const loc = this.codePointIterator.getLocFromIndex(offset);
    throw new ParseError(code, offset, loc.line, loc.column, data);
  }
  /**
  * Get the next token.
  */
  nextToken() {
    let token = this.token;
    if (token != null) {
      this.token = null;
      return token;
    }
    let cp = this.lastCodePoint;
    while (cp !== CodePoint.EOF && !this.token) {
      cp = this.nextCode();
      const nextState = this[this.state](cp);
      if (!nextState) throw new Error(`Unknown error: pre state=${this.state}`);
      this.state = nextState;
    }
    token = this.token;
    this.token = null;
    return token;
  }
  /**
  * Get the next code point.
  */
  nextCode() {
    if (this.lastCodePoint === CodePoint.EOF) return CodePoint.EOF;
    if (this.backCode) {
      this.backCode = false;
      return this.lastCodePoint;
    }
    return this.lastCodePoint = this.codePointIterator.next();
  }
  /**
  * Eat the next code point.
  */
  eatCode(cp) {
    if (this.lastCodePoint === CodePoint.EOF) return false;
    if (this.backCode) {
      if (this.lastCodePoint === cp) {
        this.backCode = false;
        return true;
      }
      return false;
    }
    return this.codePointIterator.eat(cp);
  }
  /**
  * Moves the character position to the given position.
  */
  moveAt(loc) {
    if (this.backCode) this.backCode = false;
    this.lastCodePoint = this.codePointIterator.moveAt(loc);
  }
  /**
  * Back the current code point as the given state.
  */
  back(state) {
    this.backCode = true;
    return state;
  }
  punctuatorToken() {
    this.startToken();
    this.endToken("Punctuator", "end");
  }
  startToken() {
    this.tokenStart = this.codePointIterator.start;
  }
  /**
  * Commit the current token.
  */
  endToken(type, pos, option1, option2) {
    const { tokenStart } = this;
    const end = this.codePointIterator[pos];
    const range = [tokenStart, end];
    const loc = {
      start: this.codePointIterator.getLocFromIndex(tokenStart),
      end: this.codePointIterator.getLocFromIndex(end)
    };
    if (type === "Block") this.token = {
      type,
      value: this.text.slice(tokenStart + 1, end),
      range,
      loc
    };
    else {
      let token;
      const value = this.text.slice(tokenStart, end);
      if (type === "BasicString" || type === "LiteralString" || type === "MultiLineBasicString" || type === "MultiLineLiteralString") token = {
        type,
        value,
        string: option1,
        range,
        loc
      };
      else if (type === "Integer") {
        const text = option1;
        token = {
          type,
          value,
          number: parseInt(text, option2),
          bigint: HAS_BIGINT ? BigInt(RADIX_PREFIXES[option2] + text) : null,
          range,
          loc
        };
      } else if (type === "Float") token = {
        type,
        value,
        number: option1,
        range,
        loc
      };
      else if (type === "Boolean") token = {
        type,
        value,
        boolean: option1,
        range,
        loc
      };
      else if (type === "LocalDate" || type === "LocalTime" || type === "LocalDateTime" || type === "OffsetDateTime") token = {
        type,
        value,
        date: option1,
        range,
        loc
      };
      else token = {
        type,
        value,
        range,
        loc
      };
      this.token = token;
    }
  }
  DATA(cp) {
    while (isWhitespace(cp) || isEOL2(cp)) cp = this.nextCode();
    if (cp === CodePoint.HASH) {
      this.startToken();
      return "COMMENT";
    }
    if (cp === CodePoint.QUOTATION_MARK) {
      this.startToken();
      return "BASIC_STRING";
    }
    if (cp === CodePoint.SINGLE_QUOTE) {
      this.startToken();
      return "LITERAL_STRING";
    }
    if (cp === CodePoint.DOT || cp === CodePoint.EQUALS_SIGN || cp === CodePoint.LEFT_BRACKET || cp === CodePoint.RIGHT_BRACKET || cp === CodePoint.LEFT_BRACE || cp === CodePoint.RIGHT_BRACE || cp === CodePoint.COMMA) {
      this.punctuatorToken();
      return "DATA";
    }
    if (this.valuesEnabled) {
      if (cp === CodePoint.DASH || cp === CodePoint.PLUS_SIGN) {
        this.startToken();
        return "SIGN";
      }
      if (cp === CodePoint.LATIN_SMALL_N || cp === CodePoint.LATIN_SMALL_I) {
        this.startToken();
        return this.back("NAN_OR_INF");
      }
      if (isDigit2(cp)) {
        this.startToken();
        return this.back("NUMBER");
      }
      if (cp === CodePoint.LATIN_SMALL_T || cp === CodePoint.LATIN_SMALL_F) {
        this.startToken();
        return this.back("BOOLEAN");
      }
    } else if (isUnquotedKeyChar(cp, this.tomlVersion)) {
      this.startToken();
      return "BARE";
    }
    if (cp === CodePoint.EOF) return "DATA";
    return this.reportParseError("unexpected-char");
  }
  COMMENT(cp) {
    const processCommentChar = this.tomlVersion.gte(1, 1) ? (c2) => {
      if (!isNonEOL(c2)) this.reportParseError("invalid-comment-character", { cp: JSON.stringify(String.fromCodePoint(c2)).slice(1, -1) });
    } : (c2) => {
      if (isControlOtherThanTab(c2)) this.reportParseErrorControlChar();
    };
    while (!isEOL2(cp) && cp !== CodePoint.EOF) {
      processCommentChar(cp);
      cp = this.nextCode();
    }
    this.endToken("Block", "start");
    return "DATA";
  }
  BARE(cp) {
    while (isUnquotedKeyChar(cp, this.tomlVersion)) cp = this.nextCode();
    this.endToken("Bare", "start");
    return this.back("DATA");
  }
  BASIC_STRING(cp) {
    if (cp === CodePoint.QUOTATION_MARK) {
      cp = this.nextCode();
      if (cp === CodePoint.QUOTATION_MARK) return "MULTI_LINE_BASIC_STRING";
      this.endToken("BasicString", "start", "");
      return this.back("DATA");
    }
    const out = [];
    while (cp !== CodePoint.QUOTATION_MARK && cp !== CodePoint.EOF && cp !== CodePoint.LINE_FEED) {
      if (isControlOtherThanTab(cp)) return this.reportParseErrorControlChar();
      if (cp === CodePoint.BACKSLASH) {
        cp = this.nextCode();
        const ecp = this.ESCAPES[cp];
        if (ecp) {
          out.push(ecp);
          cp = this.nextCode();
          continue;
        } else if (cp === CodePoint.LATIN_SMALL_U) {
          const code = this.parseUnicode(4);
          out.push(code);
          cp = this.nextCode();
          continue;
        } else if (cp === CodePoint.LATIN_CAPITAL_U) {
          const code = this.parseUnicode(8);
          out.push(code);
          cp = this.nextCode();
          continue;
        } else if (cp === CodePoint.LATIN_SMALL_X && this.tomlVersion.gte(1, 1)) {
          const code = this.parseUnicode(2);
          out.push(code);
          cp = this.nextCode();
          continue;
        }
        return this.reportParseError("invalid-char-in-escape-sequence");
      }
      out.push(cp);
      cp = this.nextCode();
    }
    if (cp !== CodePoint.QUOTATION_MARK) return this.reportParseError("unterminated-string");
    this.endToken("BasicString", "end", String.fromCodePoint(...out));
    return "DATA";
  }
  MULTI_LINE_BASIC_STRING(cp) {
    const out = [];
    if (cp === CodePoint.LINE_FEED) cp = this.nextCode();
    while (cp !== CodePoint.EOF) {
      if (cp !== CodePoint.LINE_FEED && isControlOtherThanTab(cp)) return this.reportParseErrorControlChar();
      if (cp === CodePoint.QUOTATION_MARK) {
        const startPos = this.codePointIterator.start;
        if (this.eatCode(CodePoint.QUOTATION_MARK) && this.eatCode(CodePoint.QUOTATION_MARK)) {
          if (this.eatCode(CodePoint.QUOTATION_MARK)) {
            out.push(CodePoint.QUOTATION_MARK);
            if (this.eatCode(CodePoint.QUOTATION_MARK)) {
              out.push(CodePoint.QUOTATION_MARK);
              if (this.eatCode(CodePoint.QUOTATION_MARK)) {
                this.moveAt(startPos);
                return this.reportParseError("invalid-three-quotes");
              }
            }
          }
          this.endToken("MultiLineBasicString", "end", String.fromCodePoint(...out));
          return "DATA";
        }
        this.moveAt(startPos);
      }
      if (cp === CodePoint.BACKSLASH) {
        cp = this.nextCode();
        const ecp = this.ESCAPES[cp];
        if (ecp) {
          out.push(ecp);
          cp = this.nextCode();
          continue;
        } else if (cp === CodePoint.LATIN_SMALL_U) {
          const code = this.parseUnicode(4);
          out.push(code);
          cp = this.nextCode();
          continue;
        } else if (cp === CodePoint.LATIN_CAPITAL_U) {
          const code = this.parseUnicode(8);
          out.push(code);
          cp = this.nextCode();
          continue;
        } else if (cp === CodePoint.LATIN_SMALL_X && this.tomlVersion.gte(1, 1)) {
          const code = this.parseUnicode(2);
          out.push(code);
          cp = this.nextCode();
          continue;
        } else if (cp === CodePoint.LINE_FEED) {
          cp = this.nextCode();
          while (isWhitespace(cp) || cp === CodePoint.LINE_FEED) cp = this.nextCode();
          continue;
        } else if (isWhitespace(cp)) {
          let valid = true;
          const startPos = this.codePointIterator.start;
          let nextCp;
          while ((nextCp = this.nextCode()) !== CodePoint.EOF) {
            if (nextCp === CodePoint.LINE_FEED) break;
            if (!isWhitespace(nextCp)) {
              this.moveAt(startPos);
              valid = false;
              break;
            }
          }
          if (valid) {
            cp = this.nextCode();
            while (isWhitespace(cp) || cp === CodePoint.LINE_FEED) cp = this.nextCode();
            continue;
          }
        }
        return this.reportParseError("invalid-char-in-escape-sequence");
      }
      out.push(cp);
      cp = this.nextCode();
    }
    return this.reportParseError("unterminated-string");
  }
  LITERAL_STRING(cp) {
    if (cp === CodePoint.SINGLE_QUOTE) {
      cp = this.nextCode();
      if (cp === CodePoint.SINGLE_QUOTE) return "MULTI_LINE_LITERAL_STRING";
      this.endToken("LiteralString", "start", "");
      return this.back("DATA");
    }
    const out = [];
    while (cp !== CodePoint.SINGLE_QUOTE && cp !== CodePoint.EOF && cp !== CodePoint.LINE_FEED) {
      if (isControlOtherThanTab(cp)) return this.reportParseErrorControlChar();
      out.push(cp);
      cp = this.nextCode();
    }
    if (cp !== CodePoint.SINGLE_QUOTE) return this.reportParseError("unterminated-string");
    this.endToken("LiteralString", "end", String.fromCodePoint(...out));
    return "DATA";
  }
  MULTI_LINE_LITERAL_STRING(cp) {
    const out = [];
    if (cp === CodePoint.LINE_FEED) cp = this.nextCode();
    while (cp !== CodePoint.EOF) {
      if (cp !== CodePoint.LINE_FEED && isControlOtherThanTab(cp)) return this.reportParseErrorControlChar();
      if (cp === CodePoint.SINGLE_QUOTE) {
        const startPos = this.codePointIterator.start;
        if (this.eatCode(CodePoint.SINGLE_QUOTE) && this.eatCode(CodePoint.SINGLE_QUOTE)) {
          if (this.eatCode(CodePoint.SINGLE_QUOTE)) {
            out.push(CodePoint.SINGLE_QUOTE);
            if (this.eatCode(CodePoint.SINGLE_QUOTE)) {
              out.push(CodePoint.SINGLE_QUOTE);
              if (this.eatCode(CodePoint.SINGLE_QUOTE)) {
                this.moveAt(startPos);
                return this.reportParseError("invalid-three-quotes");
              }
            }
          }
          this.endToken("MultiLineLiteralString", "end", String.fromCodePoint(...out));
          return "DATA";
        }
        this.moveAt(startPos);
      }
      out.push(cp);
      cp = this.nextCode();
    }
    return this.reportParseError("unterminated-string");
  }
  SIGN(cp) {
    if (cp === CodePoint.LATIN_SMALL_N || cp === CodePoint.LATIN_SMALL_I) return this.back("NAN_OR_INF");
    if (isDigit2(cp)) return this.back("NUMBER");
    return this.reportParseError("unexpected-char");
  }
  NAN_OR_INF(cp) {
    if (cp === CodePoint.LATIN_SMALL_N) {
      const startPos = this.codePointIterator.start;
      if (this.eatCode(CodePoint.LATIN_SMALL_A) && this.eatCode(CodePoint.LATIN_SMALL_N)) {
        this.endToken("Float", "end", NaN);
        return "DATA";
      }
      this.moveAt(startPos);
    } else if (cp === CodePoint.LATIN_SMALL_I) {
      const startPos = this.codePointIterator.start;
      if (this.eatCode(CodePoint.LATIN_SMALL_N) && this.eatCode(CodePoint.LATIN_SMALL_F)) {
        this.endToken("Float", "end", this.text[this.tokenStart] === "-" ? -Infinity : Infinity);
        return "DATA";
      }
      this.moveAt(startPos);
    }
    return this.reportParseError("unexpected-char");
  }
  NUMBER(cp) {
    const start = this.text[this.tokenStart];
    const sign = start === "+" ? CodePoint.PLUS_SIGN : start === "-" ? CodePoint.DASH : CodePoint.NULL;
    if (cp === CodePoint.DIGIT_0) {
      if (sign === CodePoint.NULL) {
        const startPos = this.codePointIterator.start;
        const nextCp$1 = this.nextCode();
        if (isDigit2(nextCp$1)) {
          const nextNextCp = this.nextCode();
          if (nextNextCp === CodePoint.COLON) {
            this.data = {
              hasDate: false,
              year: 0,
              month: 0,
              day: 0,
              hour: Number(String.fromCodePoint(CodePoint.DIGIT_0, nextCp$1)),
              minute: 0,
              second: 0
            };
            return "TIME_MINUTE";
          }
          if (isDigit2(nextNextCp)) {
            const nextNextNextCp = this.nextCode();
            if (isDigit2(nextNextNextCp) && this.eatCode(CodePoint.DASH)) {
              this.data = {
                hasDate: true,
                year: Number(String.fromCodePoint(CodePoint.DIGIT_0, nextCp$1, nextNextCp, nextNextNextCp)),
                month: 0,
                day: 0,
                hour: 0,
                minute: 0,
                second: 0
              };
              return "DATE_MONTH";
            }
          }
          this.moveAt(startPos);
          return this.reportParseError("invalid-leading-zero");
        }
        this.moveAt(startPos);
      }
      cp = this.nextCode();
      if (cp === CodePoint.LATIN_SMALL_X || cp === CodePoint.LATIN_SMALL_O || cp === CodePoint.LATIN_SMALL_B) {
        if (sign !== CodePoint.NULL) return this.reportParseError("unexpected-char");
        return cp === CodePoint.LATIN_SMALL_X ? "HEX" : cp === CodePoint.LATIN_SMALL_O ? "OCTAL" : "BINARY";
      }
      if (cp === CodePoint.LATIN_SMALL_E || cp === CodePoint.LATIN_CAPITAL_E) {
        this.data = {
          minus: sign === CodePoint.DASH,
          left: [CodePoint.DIGIT_0]
        };
        return "EXPONENT_RIGHT";
      }
      if (cp === CodePoint.DOT) {
        this.data = {
          minus: sign === CodePoint.DASH,
          absInt: [CodePoint.DIGIT_0]
        };
        return "FRACTIONAL_RIGHT";
      }
      this.endToken("Integer", "start", "0", 10);
      return this.back("DATA");
    }
    const { out, nextCp, hasUnderscore } = this.parseDigits(cp, isDigit2);
    if (nextCp === CodePoint.DASH && sign === CodePoint.NULL && !hasUnderscore && out.length === 4) {
      this.data = {
        hasDate: true,
        year: Number(String.fromCodePoint(...out)),
        month: 0,
        day: 0,
        hour: 0,
        minute: 0,
        second: 0
      };
      return "DATE_MONTH";
    }
    if (nextCp === CodePoint.COLON && sign === CodePoint.NULL && !hasUnderscore && out.length === 2) {
      this.data = {
        hasDate: false,
        year: 0,
        month: 0,
        day: 0,
        hour: Number(String.fromCodePoint(...out)),
        minute: 0,
        second: 0
      };
      return "TIME_MINUTE";
    }
    if (nextCp === CodePoint.LATIN_SMALL_E || nextCp === CodePoint.LATIN_CAPITAL_E) {
      this.data = {
        minus: sign === CodePoint.DASH,
        left: out
      };
      return "EXPONENT_RIGHT";
    }
    if (nextCp === CodePoint.DOT) {
      this.data = {
        minus: sign === CodePoint.DASH,
        absInt: out
      };
      return "FRACTIONAL_RIGHT";
    }
    this.endToken("Integer", "start", sign === CodePoint.DASH ? String.fromCodePoint(CodePoint.DASH, ...out) : String.fromCodePoint(...out), 10);
    return this.back("DATA");
  }
  HEX(cp) {
    const { out } = this.parseDigits(cp, isHexDig);
    this.endToken("Integer", "start", String.fromCodePoint(...out), 16);
    return this.back("DATA");
  }
  OCTAL(cp) {
    const { out } = this.parseDigits(cp, isOctalDig);
    this.endToken("Integer", "start", String.fromCodePoint(...out), 8);
    return this.back("DATA");
  }
  BINARY(cp) {
    const { out } = this.parseDigits(cp, (c2) => c2 === CodePoint.DIGIT_0 || c2 === CodePoint.DIGIT_1);
    this.endToken("Integer", "start", String.fromCodePoint(...out), 2);
    return this.back("DATA");
  }
  FRACTIONAL_RIGHT(cp) {
    const { minus, absInt } = this.data;
    const { out, nextCp } = this.parseDigits(cp, isDigit2);
    const absNum = [
      ...absInt,
      CodePoint.DOT,
      ...out
    ];
    if (nextCp === CodePoint.LATIN_SMALL_E || nextCp === CodePoint.LATIN_CAPITAL_E) {
      this.data = {
        minus,
        left: absNum
      };
      return "EXPONENT_RIGHT";
    }
    const value = Number(minus ? String.fromCodePoint(CodePoint.DASH, ...absNum) : String.fromCodePoint(...absNum));
    this.endToken("Float", "start", value);
    return this.back("DATA");
  }
  EXPONENT_RIGHT(cp) {
    const { left, minus: leftMinus } = this.data;
    let minus = false;
    if (cp === CodePoint.DASH || cp === CodePoint.PLUS_SIGN) {
      minus = cp === CodePoint.DASH;
      cp = this.nextCode();
    }
    const { out } = this.parseDigits(cp, isDigit2);
    const right = out;
    if (minus) right.unshift(CodePoint.DASH);
    const value = Number(leftMinus ? String.fromCodePoint(CodePoint.DASH, ...left, CodePoint.LATIN_SMALL_E, ...right) : String.fromCodePoint(...left, CodePoint.LATIN_SMALL_E, ...right));
    this.endToken("Float", "start", value);
    return this.back("DATA");
  }
  BOOLEAN(cp) {
    if (cp === CodePoint.LATIN_SMALL_T) {
      const startPos = this.codePointIterator.start;
      if (this.eatCode(CodePoint.LATIN_SMALL_R) && this.eatCode(CodePoint.LATIN_SMALL_U) && this.eatCode(CodePoint.LATIN_SMALL_E)) {
        this.endToken("Boolean", "end", true);
        return "DATA";
      }
      this.moveAt(startPos);
    } else if (cp === CodePoint.LATIN_SMALL_F) {
      const startPos = this.codePointIterator.start;
      if (this.eatCode(CodePoint.LATIN_SMALL_A) && this.eatCode(CodePoint.LATIN_SMALL_L) && this.eatCode(CodePoint.LATIN_SMALL_S) && this.eatCode(CodePoint.LATIN_SMALL_E)) {
        this.endToken("Boolean", "end", false);
        return "DATA";
      }
      this.moveAt(startPos);
    }
    return this.reportParseError("unexpected-char");
  }
  DATE_MONTH(cp) {
    const start = this.codePointIterator.start;
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (cp !== CodePoint.DASH) return this.reportParseError("unexpected-char");
    const end = this.codePointIterator.start;
    const data = this.data;
    data.month = Number(this.text.slice(start, end));
    return "DATE_DAY";
  }
  DATE_DAY(cp) {
    const start = this.codePointIterator.start;
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    const end = this.codePointIterator.end;
    const data = this.data;
    data.day = Number(this.text.slice(start, end));
    if (!isValidDate(data.year, data.month, data.day)) return this.reportParseError("invalid-date");
    cp = this.nextCode();
    if (cp === CodePoint.LATIN_CAPITAL_T || cp === CodePoint.LATIN_SMALL_T) return "TIME_HOUR";
    if (cp === CodePoint.SPACE) {
      const startPos = this.codePointIterator.start;
      if (isDigit2(this.nextCode()) && isDigit2(this.nextCode())) {
        this.moveAt(startPos);
        return "TIME_HOUR";
      }
      this.moveAt(startPos);
    }
    const dateValue = getDateFromDateTimeData(data, "");
    this.endToken("LocalDate", "start", dateValue);
    return this.back("DATA");
  }
  TIME_HOUR(cp) {
    const start = this.codePointIterator.start;
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (cp !== CodePoint.COLON) return this.reportParseError("unexpected-char");
    const end = this.codePointIterator.start;
    const data = this.data;
    data.hour = Number(this.text.slice(start, end));
    return "TIME_MINUTE";
  }
  TIME_MINUTE(cp) {
    const start = this.codePointIterator.start;
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    const end = this.codePointIterator.end;
    const data = this.data;
    data.minute = Number(this.text.slice(start, end));
    cp = this.nextCode();
    if (cp === CodePoint.COLON) return "TIME_SECOND";
    if (this.tomlVersion.lt(1, 1)) return this.reportParseError("unexpected-char");
    if (!isValidTime(data.hour, data.minute, data.second)) return this.reportParseError("invalid-time");
    return this.processTimeEnd(cp, data);
  }
  TIME_SECOND(cp) {
    const start = this.codePointIterator.start;
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    const end = this.codePointIterator.end;
    const data = this.data;
    data.second = Number(this.text.slice(start, end));
    if (!isValidTime(data.hour, data.minute, data.second)) return this.reportParseError("invalid-time");
    cp = this.nextCode();
    if (cp === CodePoint.DOT) return "TIME_SEC_FRAC";
    return this.processTimeEnd(cp, data);
  }
  TIME_SEC_FRAC(cp) {
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    const start = this.codePointIterator.start;
    while (isDigit2(cp)) cp = this.nextCode();
    const end = this.codePointIterator.start;
    const data = this.data;
    data.frac = this.text.slice(start, end);
    return this.processTimeEnd(cp, data);
  }
  processTimeEnd(cp, data) {
    if (data.hasDate) {
      if (cp === CodePoint.DASH || cp === CodePoint.PLUS_SIGN) {
        data.offsetSign = cp;
        return "TIME_OFFSET";
      }
      if (cp === CodePoint.LATIN_CAPITAL_Z || cp === CodePoint.LATIN_SMALL_Z) {
        const dateValue$2 = getDateFromDateTimeData(data, "Z");
        this.endToken("OffsetDateTime", "end", dateValue$2);
        return "DATA";
      }
      const dateValue$1 = getDateFromDateTimeData(data, "");
      this.endToken("LocalDateTime", "start", dateValue$1);
      return this.back("DATA");
    }
    const dateValue = getDateFromDateTimeData(data, "");
    this.endToken("LocalTime", "start", dateValue);
    return this.back("DATA");
  }
  TIME_OFFSET(cp) {
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    const hourStart = this.codePointIterator.start;
    cp = this.nextCode();
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (cp !== CodePoint.COLON) return this.reportParseError("unexpected-char");
    const hourEnd = this.codePointIterator.start;
    cp = this.nextCode();
    const minuteStart = this.codePointIterator.start;
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    cp = this.nextCode();
    if (!isDigit2(cp)) return this.reportParseError("unexpected-char");
    const minuteEnd = this.codePointIterator.end;
    const hour = Number(this.text.slice(hourStart, hourEnd));
    const minute = Number(this.text.slice(minuteStart, minuteEnd));
    if (!isValidTime(hour, minute, 0)) return this.reportParseError("invalid-time");
    const data = this.data;
    const dateValue = getDateFromDateTimeData(data, `${String.fromCodePoint(data.offsetSign)}${padStart(hour, 2)}:${padStart(minute, 2)}`);
    this.endToken("OffsetDateTime", "end", dateValue);
    return "DATA";
  }
  parseDigits(cp, checkDigit) {
    if (cp === CodePoint.UNDERSCORE) return this.reportParseError("invalid-underscore");
    if (!checkDigit(cp)) return this.reportParseError("unexpected-char");
    const out = [];
    let before = CodePoint.NULL;
    let hasUnderscore = false;
    while (checkDigit(cp) || cp === CodePoint.UNDERSCORE) {
      if (cp === CodePoint.UNDERSCORE) {
        hasUnderscore = true;
        if (before === CodePoint.UNDERSCORE) return this.reportParseError("invalid-underscore");
      } else out.push(cp);
      before = cp;
      cp = this.nextCode();
    }
    if (before === CodePoint.UNDERSCORE) return this.reportParseError("invalid-underscore");
    return {
      out,
      nextCp: cp,
      hasUnderscore
    };
  }
  parseUnicode(count) {
    const startLoc = this.codePointIterator.start;
    const start = this.codePointIterator.end;
    let charCount = 0;
    let cp;
    while ((cp = this.nextCode()) !== CodePoint.EOF) {
      if (!isHexDig(cp)) {
        this.moveAt(startLoc);
        return this.reportParseError("invalid-char-in-escape-sequence");
      }
      charCount++;
      if (charCount >= count) break;
    }
    const end = this.codePointIterator.end;
    const code = this.text.slice(start, end);
    const codePoint = parseInt(code, 16);
    if (!isUnicodeScalarValue(codePoint)) return this.reportParseError("invalid-code-point", { cp: code });
    return codePoint;
  }
  reportParseErrorControlChar() {
    return this.reportParseError("invalid-control-character");
  }
};
function isUnquotedKeyChar(cp, tomlVersion) {
  if (isLetter(cp) || isDigit2(cp) || cp === CodePoint.UNDERSCORE || cp === CodePoint.DASH) return true;
  if (tomlVersion.lt(1, 1)) return false;
  return false;
}
function isControlOtherThanTab(cp) {
  return isControl(cp) && cp !== CodePoint.TABULATION || cp === CodePoint.DELETE;
}
function isNonEOL(cp) {
  return cp === CodePoint.TABULATION || CodePoint.SPACE <= cp && cp <= CodePoint.TILDE || isNonAscii(cp);
}
function isNonAscii(cp) {
  return CodePoint.PAD <= cp && cp <= CodePoint.CP_D7FF || CodePoint.CP_E000 <= cp && cp <= CodePoint.CP_10FFFF;
}
function isValidDate(y, m, d) {
  if (y >= 0 && m <= 12 && m >= 1 && d >= 1) return d <= (m === 2 ? y & 3 || !(y % 25) && y & 15 ? 28 : 29 : 30 + (m + (m >> 3) & 1));
  return false;
}
function isValidTime(h, m, s) {
  if (h >= 24 || h < 0 || m > 59 || m < 0 || s > 60 || s < 0) return false;
  return true;
}
function getDateFromDateTimeData(data, timeZone) {
  const year = padStart(data.year, 4);
  const month = data.month ? padStart(data.month, 2) : "01";
  const day = data.day ? padStart(data.day, 2) : "01";
  const hour = padStart(data.hour, 2);
  const minute = padStart(data.minute, 2);
  const second = padStart(data.second, 2);
  const textDate = `${year}-${month}-${day}`;
  const frac = data.frac ? `.${data.frac}` : "";
  const dateValue = /* @__PURE__ */ new Date(`${textDate}T${hour}:${minute}:${second}${frac}${timeZone}`);
  if (!isNaN(dateValue.getTime()) || data.second !== 60) return dateValue;
  return /* @__PURE__ */ new Date(`${textDate}T${hour}:${minute}:59${frac}${timeZone}`);
}
function padStart(num, maxLength) {
  return String(num).padStart(maxLength, "0");
}
var VALUE_KIND_VALUE = /* @__PURE__ */ Symbol("VALUE_KIND_VALUE");
var VALUE_KIND_INTERMEDIATE = /* @__PURE__ */ Symbol("VALUE_KIND_INTERMEDIATE");
var KeysResolver = class {
  constructor(ctx) {
    this.rootKeys = /* @__PURE__ */ new Map();
    this.tables = [];
    this.ctx = ctx;
  }
  applyResolveKeyForTable(node) {
    let keys = this.rootKeys;
    const peekKeyIndex = node.key.keys.length - 1;
    for (let index = 0; index < peekKeyIndex; index++) {
      const keyNode = node.key.keys[index];
      const keyName = toKeyName(keyNode);
      node.resolvedKey.push(keyName);
      let keyStore = keys.get(keyName);
      if (!keyStore) {
        keyStore = {
          node: keyNode,
          keys: /* @__PURE__ */ new Map()
        };
        keys.set(keyName, keyStore);
      } else if (keyStore.table === "array") {
        const peekIndex = keyStore.peekIndex;
        node.resolvedKey.push(peekIndex);
        keyStore = keyStore.keys.get(peekIndex);
      }
      keys = keyStore.keys;
    }
    const lastKeyNode = node.key.keys[peekKeyIndex];
    const lastKeyName = toKeyName(lastKeyNode);
    node.resolvedKey.push(lastKeyName);
    const lastKeyStore = keys.get(lastKeyName);
    if (!lastKeyStore) if (node.kind === "array") {
      node.resolvedKey.push(0);
      const newKeyStore = {
        node: lastKeyNode,
        keys: /* @__PURE__ */ new Map()
      };
      keys.set(lastKeyName, {
        table: node.kind,
        node: lastKeyNode,
        keys: /* @__PURE__ */ new Map([[0, newKeyStore]]),
        peekIndex: 0
      });
      this.tables.push({
        node,
        keys: newKeyStore.keys
      });
    } else {
      const newKeyStore = {
        table: node.kind,
        node: lastKeyNode,
        keys: /* @__PURE__ */ new Map()
      };
      keys.set(lastKeyName, newKeyStore);
      this.tables.push({
        node,
        keys: newKeyStore.keys
      });
    }
    else if (!lastKeyStore.table) if (node.kind === "array") this.ctx.reportParseError("dupe-keys", lastKeyNode);
    else {
      const transformKey = {
        table: node.kind,
        node: lastKeyNode,
        keys: lastKeyStore.keys
      };
      keys.set(lastKeyName, transformKey);
      this.tables.push({
        node,
        keys: transformKey.keys
      });
    }
    else if (lastKeyStore.table === "array") if (node.kind === "array") {
      const newKeyStore = {
        node: lastKeyNode,
        keys: /* @__PURE__ */ new Map()
      };
      const newIndex = lastKeyStore.peekIndex + 1;
      node.resolvedKey.push(newIndex);
      lastKeyStore.keys.set(newIndex, newKeyStore);
      lastKeyStore.peekIndex = newIndex;
      this.tables.push({
        node,
        keys: newKeyStore.keys
      });
    } else this.ctx.reportParseError("dupe-keys", lastKeyNode);
    else this.ctx.reportParseError("dupe-keys", lastKeyNode);
  }
  verifyDuplicateKeys(node) {
    for (const body of node.body) if (body.type === "TOMLKeyValue") verifyDuplicateKeysForKeyValue(this.ctx, this.rootKeys, body);
    for (const { node: tableNode, keys } of this.tables) for (const body of tableNode.body) verifyDuplicateKeysForKeyValue(this.ctx, keys, body);
  }
};
function verifyDuplicateKeysForKeyValue(ctx, defineKeys, node) {
  let keys = defineKeys;
  const lastKey = last(node.key.keys);
  for (const keyNode of node.key.keys) {
    const key = toKeyName(keyNode);
    let defineKey = keys.get(key);
    if (defineKey) {
      if (defineKey.value === VALUE_KIND_VALUE) ctx.reportParseError("dupe-keys", getAfterNode(keyNode, defineKey.node));
      else if (lastKey === keyNode) ctx.reportParseError("dupe-keys", getAfterNode(keyNode, defineKey.node));
      else if (defineKey.table) ctx.reportParseError("dupe-keys", getAfterNode(keyNode, defineKey.node));
      defineKey.value = VALUE_KIND_INTERMEDIATE;
    } else {
      if (lastKey === keyNode) defineKey = {
        value: VALUE_KIND_VALUE,
        node: keyNode,
        keys: /* @__PURE__ */ new Map()
      };
      else defineKey = {
        value: VALUE_KIND_INTERMEDIATE,
        node: keyNode,
        keys: /* @__PURE__ */ new Map()
      };
      keys.set(key, defineKey);
    }
    keys = defineKey.keys;
  }
  if (node.value.type === "TOMLInlineTable") verifyDuplicateKeysForInlineTable(ctx, keys, node.value);
  else if (node.value.type === "TOMLArray") verifyDuplicateKeysForArray(ctx, keys, node.value);
}
function verifyDuplicateKeysForInlineTable(ctx, defineKeys, node) {
  for (const body of node.body) verifyDuplicateKeysForKeyValue(ctx, defineKeys, body);
}
function verifyDuplicateKeysForArray(ctx, defineKeys, node) {
  const keys = defineKeys;
  for (let index = 0; index < node.elements.length; index++) {
    const element4 = node.elements[index];
    let defineKey = keys.get(index);
    if (defineKey) ctx.reportParseError("dupe-keys", getAfterNode(element4, defineKey.node));
    else {
      defineKey = {
        value: VALUE_KIND_VALUE,
        node: element4,
        keys: /* @__PURE__ */ new Map()
      };
      defineKeys.set(index, defineKey);
      if (element4.type === "TOMLInlineTable") verifyDuplicateKeysForInlineTable(ctx, defineKey.keys, element4);
      else if (element4.type === "TOMLArray") verifyDuplicateKeysForArray(ctx, defineKey.keys, element4);
    }
  }
}
function getAfterNode(a, b) {
  return a.range[0] <= b.range[0] ? b : a;
}
var Context = class {
  constructor(data) {
    this.tokens = [];
    this.comments = [];
    this.back = null;
    this.stateStack = [];
    this.needNewLine = false;
    this.needSameLine = false;
    this.currToken = null;
    this.prevToken = null;
    this.valueContainerStack = [];
    this.tokenizer = new Tokenizer(data.text, data.parserOptions);
    this.topLevelTable = data.topLevelTable;
    this.table = data.topLevelTable;
    this.keysResolver = new KeysResolver(this);
  }
  /**
  * Get the next token.
  */
  nextToken(option) {
    this.prevToken = this.currToken;
    if (this.back) {
      this.currToken = this.back;
      this.back = null;
    } else this.currToken = this._nextTokenFromTokenizer(option);
    if ((this.needNewLine || this.needSameLine || option?.needSameLine) && this.prevToken && this.currToken) if (this.prevToken.loc.end.line === this.currToken.loc.start.line) {
      if (this.needNewLine) return this.reportParseError("missing-newline", this.currToken);
    } else {
      const needSameLine = this.needSameLine || option?.needSameLine;
      if (needSameLine) return this.reportParseError(needSameLine, this.currToken);
    }
    this.needNewLine = false;
    this.needSameLine = false;
    return this.currToken;
  }
  _nextTokenFromTokenizer(option) {
    const valuesEnabled = this.tokenizer.valuesEnabled;
    if (option?.valuesEnabled) this.tokenizer.valuesEnabled = option.valuesEnabled;
    let token = this.tokenizer.nextToken();
    while (token && token.type === "Block") {
      this.comments.push(token);
      token = this.tokenizer.nextToken();
    }
    if (token) this.tokens.push(token);
    this.tokenizer.valuesEnabled = valuesEnabled;
    return token;
  }
  backToken() {
    if (this.back) throw new Error("Illegal state");
    this.back = this.currToken;
    this.currToken = this.prevToken;
  }
  addValueContainer(valueContainer) {
    this.valueContainerStack.push(valueContainer);
    this.tokenizer.valuesEnabled = true;
  }
  consumeValueContainer() {
    const valueContainer = this.valueContainerStack.pop();
    this.tokenizer.valuesEnabled = this.valueContainerStack.length > 0;
    return valueContainer;
  }
  applyResolveKeyForTable(node) {
    this.keysResolver.applyResolveKeyForTable(node);
  }
  verifyDuplicateKeys() {
    this.keysResolver.verifyDuplicateKeys(this.topLevelTable);
  }
  /**
  * Report an invalid token error.
  */
  reportParseError(code, token) {
    let offset, line, column;
    if (token) {
      offset = token.range[0];
      line = token.loc.start.line;
      column = token.loc.start.column;
    } else {
      offset = this.tokenizer.start;
      const startPos = this.tokenizer.getLocFromIndex(offset);
      line = startPos.line;
      column = startPos.column;
    }
    throw new ParseError(code, offset, line, column);
  }
};
var STATE_FOR_ERROR = { VALUE: "missing-value" };
var STRING_VALUE_STYLE_MAP = {
  BasicString: "basic",
  MultiLineBasicString: "basic",
  LiteralString: "literal",
  MultiLineLiteralString: "literal"
};
var STRING_KEY_STYLE_MAP = {
  BasicString: "basic",
  LiteralString: "literal"
};
var DATETIME_VALUE_KIND_MAP = {
  OffsetDateTime: "offset-date-time",
  LocalDateTime: "local-date-time",
  LocalDate: "local-date",
  LocalTime: "local-time"
};
var TOMLParser = class {
  /**
  * Initialize this parser.
  */
  constructor(text, parserOptions) {
    this.text = text;
    this.parserOptions = parserOptions || {};
    this.tomlVersion = getTOMLVer(this.parserOptions.tomlVersion);
  }
  /**
  * Parse TOML
  */
  parse() {
    const ast = {
      type: "Program",
      body: [],
      sourceType: "module",
      tokens: [],
      comments: [],
      parent: null,
      range: [0, 0],
      loc: {
        start: {
          line: 1,
          column: 0
        },
        end: {
          line: 1,
          column: 0
        }
      }
    };
    const node = {
      type: "TOMLTopLevelTable",
      body: [],
      parent: ast,
      range: cloneRange(ast.range),
      loc: cloneLoc(ast.loc)
    };
    ast.body = [node];
    const ctx = new Context({
      text: this.text,
      parserOptions: this.parserOptions,
      topLevelTable: node
    });
    let token = ctx.nextToken();
    if (token) {
      node.range[0] = token.range[0];
      node.loc.start = clonePos(token.loc.start);
      while (token) {
        const state$1 = ctx.stateStack.pop() || "TABLE";
        ctx.stateStack.push(...this[state$1](token, ctx));
        token = ctx.nextToken();
      }
      const state = ctx.stateStack.pop() || "TABLE";
      if (state in STATE_FOR_ERROR) return ctx.reportParseError(STATE_FOR_ERROR[state], null);
      if (ctx.table.type === "TOMLTable") applyEndLoc(ctx.table, last(ctx.table.body));
      applyEndLoc(node, last(node.body));
    }
    ctx.verifyDuplicateKeys();
    ast.tokens = ctx.tokens;
    ast.comments = ctx.comments;
    const endOffset = ctx.tokenizer.end;
    const endPos = ctx.tokenizer.getLocFromIndex(endOffset);
    ast.range[1] = endOffset;
    ast.loc.end = {
      line: endPos.line,
      column: endPos.column
    };
    return ast;
  }
  TABLE(token, ctx) {
    if (isBare(token) || isString(token)) return this.processKeyValue(token, ctx.table, ctx);
    if (isLeftBracket(token)) return this.processTable(token, ctx.topLevelTable, ctx);
    return ctx.reportParseError("unexpected-token", token);
  }
  VALUE(token, ctx) {
    if (isString(token) || isMultiLineString(token)) return this.processStringValue(token, ctx);
    if (isNumber(token)) return this.processNumberValue(token, ctx);
    if (isBoolean(token)) return this.processBooleanValue(token, ctx);
    if (isDateTime(token)) return this.processDateTimeValue(token, ctx);
    if (isLeftBracket(token)) return this.processArray(token, ctx);
    if (isLeftBrace(token)) return this.processInlineTable(token, ctx);
    return ctx.reportParseError("unexpected-token", token);
  }
  processTable(token, topLevelTableNode, ctx) {
    const tableNode = {
      type: "TOMLTable",
      kind: "standard",
      key: null,
      resolvedKey: [],
      body: [],
      parent: topLevelTableNode,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    if (ctx.table.type === "TOMLTable") applyEndLoc(ctx.table, last(ctx.table.body));
    topLevelTableNode.body.push(tableNode);
    ctx.table = tableNode;
    let targetToken = ctx.nextToken({ needSameLine: "invalid-key-value-newline" });
    if (isLeftBracket(targetToken)) {
      if (token.range[1] < targetToken.range[0]) return ctx.reportParseError("invalid-space", targetToken);
      tableNode.kind = "array";
      targetToken = ctx.nextToken({ needSameLine: "invalid-key-value-newline" });
    }
    if (isRightBracket(targetToken)) return ctx.reportParseError("missing-key", targetToken);
    if (!targetToken) return ctx.reportParseError("unterminated-table-key", null);
    targetToken = this.processKeyNode(targetToken, tableNode, ctx).nextToken;
    if (!isRightBracket(targetToken)) return ctx.reportParseError("unterminated-table-key", targetToken);
    if (tableNode.kind === "array") {
      const rightBracket = targetToken;
      targetToken = ctx.nextToken({ needSameLine: "invalid-key-value-newline" });
      if (!isRightBracket(targetToken)) return ctx.reportParseError("unterminated-table-key", targetToken);
      if (rightBracket.range[1] < targetToken.range[0]) return ctx.reportParseError("invalid-space", targetToken);
    }
    applyEndLoc(tableNode, targetToken);
    ctx.applyResolveKeyForTable(tableNode);
    ctx.needNewLine = true;
    return [];
  }
  processKeyValue(token, tableNode, ctx) {
    const keyValueNode = {
      type: "TOMLKeyValue",
      key: null,
      value: null,
      parent: tableNode,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    tableNode.body.push(keyValueNode);
    const { nextToken: targetToken } = this.processKeyNode(token, keyValueNode, ctx);
    if (!isEq(targetToken)) return ctx.reportParseError("missing-equals-sign", targetToken);
    ctx.addValueContainer({
      parent: keyValueNode,
      set: (valNode) => {
        keyValueNode.value = valNode;
        applyEndLoc(keyValueNode, valNode);
        ctx.needNewLine = true;
        return [];
      }
    });
    ctx.needSameLine = "invalid-key-value-newline";
    return ["VALUE"];
  }
  processKeyNode(token, parent, ctx) {
    if (isDot(token)) ctx.reportParseError("invalid-leading-dot-in-key", token);
    const keyNode = {
      type: "TOMLKey",
      keys: [],
      parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    parent.key = keyNode;
    let targetToken = token;
    let dotToken = null;
    do {
      if (isBare(targetToken)) this.processBareKey(targetToken, keyNode);
      else if (isString(targetToken)) this.processStringKey(targetToken, keyNode);
      else break;
      dotToken = null;
      targetToken = ctx.nextToken({ needSameLine: "invalid-key-value-newline" });
      if (!isDot(targetToken)) break;
      dotToken = targetToken;
      targetToken = ctx.nextToken({ needSameLine: "invalid-key-value-newline" });
    } while (targetToken);
    if (dotToken) ctx.reportParseError(isDot(targetToken) ? "invalid-consecutive-dots-in-key" : "invalid-trailing-dot-in-key", dotToken);
    applyEndLoc(keyNode, last(keyNode.keys));
    return {
      keyNode,
      nextToken: targetToken
    };
  }
  processBareKey(token, keyNode) {
    const node = {
      type: "TOMLBare",
      name: token.value,
      parent: keyNode,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    keyNode.keys.push(node);
  }
  processStringKey(token, keyNode) {
    const node = {
      type: "TOMLQuoted",
      kind: "string",
      value: token.string,
      style: STRING_KEY_STYLE_MAP[token.type],
      multiline: false,
      parent: keyNode,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    keyNode.keys.push(node);
  }
  processStringValue(token, ctx) {
    const valueContainer = ctx.consumeValueContainer();
    const node = {
      type: "TOMLValue",
      kind: "string",
      value: token.string,
      style: STRING_VALUE_STYLE_MAP[token.type],
      multiline: isMultiLineString(token),
      parent: valueContainer.parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    return valueContainer.set(node);
  }
  processNumberValue(token, ctx) {
    const valueContainer = ctx.consumeValueContainer();
    const text = this.text;
    const [startRange, endRange] = token.range;
    let numberString = null;
    const getNumberText = () => {
      return numberString ?? (numberString = text.slice(startRange, endRange).replace(/_/g, ""));
    };
    let node;
    if (token.type === "Integer") node = {
      type: "TOMLValue",
      kind: "integer",
      value: token.number,
      bigint: token.bigint,
      get number() {
        return getNumberText();
      },
      parent: valueContainer.parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    else node = {
      type: "TOMLValue",
      kind: "float",
      value: token.number,
      get number() {
        return getNumberText();
      },
      parent: valueContainer.parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    return valueContainer.set(node);
  }
  processBooleanValue(token, ctx) {
    const valueContainer = ctx.consumeValueContainer();
    const node = {
      type: "TOMLValue",
      kind: "boolean",
      value: token.boolean,
      parent: valueContainer.parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    return valueContainer.set(node);
  }
  processDateTimeValue(token, ctx) {
    const valueContainer = ctx.consumeValueContainer();
    const node = {
      type: "TOMLValue",
      kind: DATETIME_VALUE_KIND_MAP[token.type],
      value: token.date,
      datetime: token.value,
      parent: valueContainer.parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    return valueContainer.set(node);
  }
  processArray(token, ctx) {
    const valueContainer = ctx.consumeValueContainer();
    const node = {
      type: "TOMLArray",
      elements: [],
      parent: valueContainer.parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    const nextToken = ctx.nextToken({ valuesEnabled: true });
    if (isRightBracket(nextToken)) {
      applyEndLoc(node, nextToken);
      return valueContainer.set(node);
    }
    ctx.backToken();
    return this.processArrayValue(node, valueContainer, ctx);
  }
  processArrayValue(node, valueContainer, ctx) {
    ctx.addValueContainer({
      parent: node,
      set: (valNode) => {
        node.elements.push(valNode);
        let nextToken = ctx.nextToken({ valuesEnabled: true });
        const hasComma = isComma(nextToken);
        if (hasComma) nextToken = ctx.nextToken({ valuesEnabled: true });
        if (isRightBracket(nextToken)) {
          applyEndLoc(node, nextToken);
          return valueContainer.set(node);
        }
        if (hasComma) {
          ctx.backToken();
          return this.processArrayValue(node, valueContainer, ctx);
        }
        return ctx.reportParseError(nextToken ? "missing-comma" : "unterminated-array", nextToken);
      }
    });
    return ["VALUE"];
  }
  processInlineTable(token, ctx) {
    const valueContainer = ctx.consumeValueContainer();
    const node = {
      type: "TOMLInlineTable",
      body: [],
      parent: valueContainer.parent,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    const needSameLine = this.tomlVersion.gte(1, 1) ? void 0 : "invalid-inline-table-newline";
    const nextToken = ctx.nextToken({ needSameLine });
    if (nextToken) {
      if (isBare(nextToken) || isString(nextToken)) return this.processInlineTableKeyValue(nextToken, node, valueContainer, ctx);
      if (isRightBrace(nextToken)) {
        applyEndLoc(node, nextToken);
        return valueContainer.set(node);
      }
    }
    return ctx.reportParseError("unexpected-token", nextToken);
  }
  processInlineTableKeyValue(token, inlineTableNode, valueContainer, ctx) {
    const keyValueNode = {
      type: "TOMLKeyValue",
      key: null,
      value: null,
      parent: inlineTableNode,
      range: cloneRange(token.range),
      loc: cloneLoc(token.loc)
    };
    inlineTableNode.body.push(keyValueNode);
    const { nextToken: targetToken } = this.processKeyNode(token, keyValueNode, ctx);
    if (!isEq(targetToken)) return ctx.reportParseError("missing-equals-sign", targetToken);
    const needSameLine = this.tomlVersion.gte(1, 1) ? void 0 : "invalid-inline-table-newline";
    ctx.addValueContainer({
      parent: keyValueNode,
      set: (valNode) => {
        keyValueNode.value = valNode;
        applyEndLoc(keyValueNode, valNode);
        let nextToken = ctx.nextToken({ needSameLine });
        if (isComma(nextToken)) {
          nextToken = ctx.nextToken({ needSameLine });
          if (nextToken && (isBare(nextToken) || isString(nextToken))) return this.processInlineTableKeyValue(nextToken, inlineTableNode, valueContainer, ctx);
          if (isRightBrace(nextToken)) {
            if (this.tomlVersion.lt(1, 1)) return ctx.reportParseError("invalid-trailing-comma-in-inline-table", nextToken);
          } else return ctx.reportParseError(nextToken ? "unexpected-token" : "unterminated-inline-table", nextToken);
        }
        if (isRightBrace(nextToken)) {
          applyEndLoc(inlineTableNode, nextToken);
          return valueContainer.set(inlineTableNode);
        }
        return ctx.reportParseError(nextToken ? "missing-comma" : "unterminated-inline-table", nextToken);
      }
    });
    ctx.needSameLine = "invalid-key-value-newline";
    return ["VALUE"];
  }
};
function isDot(token) {
  return isPunctuator(token) && token.value === ".";
}
function isEq(token) {
  return isPunctuator(token) && token.value === "=";
}
function isLeftBracket(token) {
  return isPunctuator(token) && token.value === "[";
}
function isRightBracket(token) {
  return isPunctuator(token) && token.value === "]";
}
function isLeftBrace(token) {
  return isPunctuator(token) && token.value === "{";
}
function isRightBrace(token) {
  return isPunctuator(token) && token.value === "}";
}
function isComma(token) {
  return isPunctuator(token) && token.value === ",";
}
function isPunctuator(token) {
  return Boolean(token && token.type === "Punctuator");
}
function isBare(token) {
  return token.type === "Bare";
}
function isString(token) {
  return token.type === "BasicString" || token.type === "LiteralString";
}
function isMultiLineString(token) {
  return token.type === "MultiLineBasicString" || token.type === "MultiLineLiteralString";
}
function isNumber(token) {
  return token.type === "Integer" || token.type === "Float";
}
function isBoolean(token) {
  return token.type === "Boolean";
}
function isDateTime(token) {
  return token.type === "OffsetDateTime" || token.type === "LocalDateTime" || token.type === "LocalDate" || token.type === "LocalTime";
}
function applyEndLoc(node, child2) {
  if (child2) {
    node.range[1] = child2.range[1];
    node.loc.end = clonePos(child2.loc.end);
  }
}
function cloneRange(range) {
  return [range[0], range[1]];
}
function cloneLoc(loc) {
  return {
    start: clonePos(loc.start),
    end: clonePos(loc.end)
  };
}
function clonePos(pos) {
  return {
    line: pos.line,
    column: pos.column
  };
}
var tomlKeys = {
  Program: ["body"],
  TOMLTopLevelTable: ["body"],
  TOMLTable: ["key", "body"],
  TOMLKeyValue: ["key", "value"],
  TOMLKey: ["keys"],
  TOMLArray: ["elements"],
  TOMLInlineTable: ["body"],
  TOMLBare: [],
  TOMLQuoted: [],
  TOMLValue: []
};
var KEYS3 = unionWith(tomlKeys);
function parseForESLint(code, options2) {
  return {
    ast: new TOMLParser(code, options2).parse(),
    visitorKeys: KEYS3,
    services: { isTOML: true }
  };
}
var getStaticTOMLValue = generateConvertTOMLValue((node) => node.value);
function generateConvertTOMLValue(convertValue) {
  function resolveValue(node, baseTable) {
    return resolver[node.type](node, baseTable);
  }
  const resolver = {
    Program(node, baseTable = {}) {
      return resolveValue(node.body[0], baseTable);
    },
    TOMLTopLevelTable(node, baseTable = {}) {
      for (const body of node.body) resolveValue(body, baseTable);
      return baseTable;
    },
    TOMLKeyValue(node, baseTable = {}) {
      const value = resolveValue(node.value);
      set(baseTable, resolveValue(node.key), value);
      return baseTable;
    },
    TOMLTable(node, baseTable = {}) {
      const table = getTable(baseTable, resolveValue(node.key), node.kind === "array");
      for (const body of node.body) resolveValue(body, table);
      return baseTable;
    },
    TOMLArray(node) {
      return node.elements.map((e) => resolveValue(e));
    },
    TOMLInlineTable(node) {
      const table = {};
      for (const body of node.body) resolveValue(body, table);
      return table;
    },
    TOMLKey(node) {
      return node.keys.map((key) => resolveValue(key));
    },
    TOMLBare(node) {
      return node.name;
    },
    TOMLQuoted(node) {
      return node.value;
    },
    TOMLValue(node) {
      return convertValue(node);
    }
  };
  return (node) => resolveValue(node);
}
function getTable(baseTable, keys, array) {
  let target = baseTable;
  for (let index = 0; index < keys.length - 1; index++) {
    const key = keys[index];
    target = getNextTargetFromKey(target, key);
  }
  const lastKey = last(keys);
  const lastTarget = target[lastKey];
  if (lastTarget == null) {
    const tableValue$1 = {};
    target[lastKey] = array ? [tableValue$1] : tableValue$1;
    return tableValue$1;
  }
  if (isValue(lastTarget)) {
    const tableValue$1 = {};
    target[lastKey] = array ? [tableValue$1] : tableValue$1;
    return tableValue$1;
  }
  if (!array) {
    if (Array.isArray(lastTarget)) {
      const tableValue$1 = {};
      target[lastKey] = tableValue$1;
      return tableValue$1;
    }
    return lastTarget;
  }
  if (Array.isArray(lastTarget)) {
    const tableValue$1 = {};
    lastTarget.push(tableValue$1);
    return tableValue$1;
  }
  const tableValue = {};
  target[lastKey] = [tableValue];
  return tableValue;
  function getNextTargetFromKey(currTarget, key) {
    const nextTarget = currTarget[key];
    if (nextTarget == null) {
      const val = {};
      currTarget[key] = val;
      return val;
    }
    if (isValue(nextTarget)) {
      const val = {};
      currTarget[key] = val;
      return val;
    }
    let resultTarget = nextTarget;
    while (Array.isArray(resultTarget)) {
      const lastIndex = resultTarget.length - 1;
      const nextElement = resultTarget[lastIndex];
      if (isValue(nextElement)) {
        const val = {};
        resultTarget[lastIndex] = val;
        return val;
      }
      resultTarget = nextElement;
    }
    return resultTarget;
  }
}
function set(baseTable, keys, value) {
  let target = baseTable;
  for (let index = 0; index < keys.length - 1; index++) {
    const key = keys[index];
    const nextTarget = target[key];
    if (nextTarget == null) {
      const val = {};
      target[key] = val;
      target = val;
    } else if (isValue(nextTarget) || Array.isArray(nextTarget)) {
      const val = {};
      target[key] = val;
      target = val;
    } else target = nextTarget;
  }
  target[last(keys)] = value;
}
function isValue(value) {
  return typeof value !== "object" || value instanceof Date;
}
function parseTOML(code, options2) {
  return parseForESLint(code, options2).ast;
}

// source/languages/config/toml-keys.ts
var MOST_LEFT_OUT = 20;
function tomlFacts(text) {
  const list = new KeyList(text);
  const tree = readable(text, list);
  const tables = /* @__PURE__ */ new Map();
  for (const one of tree?.body[0].body ?? []) {
    if (one.type === "TOMLKeyValue") addKey(list, one, [], null);
    else addTable(list, one, tables);
  }
  return list.facts("toml");
}
function readable(text, list) {
  let left = text;
  for (let tries = 0; tries <= MOST_LEFT_OUT; tries += 1) {
    try {
      return parseTOML(left);
    } catch (thrown) {
      if (!(thrown instanceof ParseError)) throw thrown;
      const at = Math.min(thrown.index, left.length - 1);
      list.wrong(Math.max(at, 0));
      const start = left.lastIndexOf("\n", at - 1) + 1;
      const newline = left.indexOf("\n", start);
      const end = newline < 0 ? left.length : newline;
      const blank = " ".repeat(end - start);
      if (left.slice(start, end) === blank) return null;
      left = left.slice(0, start) + blank + left.slice(end);
    }
  }
  return null;
}
function addTable(list, { key, body, range }, tables) {
  const path = partsOf(key);
  const number = list.add(path, around(path, tables), range, null);
  if (number !== null) tables.set(JSON.stringify(path), number);
  for (const one of body) addKey(list, one, path, number);
}
function around(path, tables) {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const number = tables.get(JSON.stringify(path.slice(0, length)));
    if (number !== void 0) return number;
  }
  return null;
}
function addKey(list, { key, value, range }, table, parent) {
  const path = [...table, ...partsOf(key)];
  const isTable = value.type === "TOMLInlineTable";
  const number = list.add(path, parent, range, isTable ? null : value.range);
  if (isTable && number !== null) for (const one of value.body) addKey(list, one, path, number);
}
function partsOf({ keys }) {
  return keys.map((one) => one.type === "TOMLBare" ? one.name : one.value);
}

// source/languages/config/index.ts
var shared = { grammar: null, version: 1 };
var json = {
  ...shared,
  name: "json",
  takes: (name2) => name2 === "package.json" || isCompilerConfig(name2),
  extract: jsonFacts
};
var toml = {
  ...shared,
  name: "toml",
  takes: (name2) => name2 === "pyproject.toml",
  extract: tomlFacts
};
var dotenv = {
  ...shared,
  name: "dotenv",
  takes: (name2) => /^\.?env(?:\.[\w-]+)*\.(?:example|sample|template)$/i.test(name2),
  extract: dotenvFacts
};

// source/languages/python/comments.ts
function commentTags(comments2, text, definitions) {
  if (!/\b(?:TODO|FIXME|HACK|XXX)\b/.test(text.text)) return [];
  const lines = text.text.split(/\r\n|\r|\n/);
  return comments2.flatMap((comment) => {
    const match = /^[\s#!*-]*@?(TODO|FIXME|HACK|XXX)\b(?:\(([^)]*)\))?[:\s-]*(.*)/.exec(text.of(comment));
    const tag = tags.find((one) => one === match?.[1]);
    if (!tag) return [];
    const line = text.line(comment.start);
    const column = text.column(comment.start, line);
    const from = trailed(definitions, lines, { line, column }) ?? innermost(definitions, line, column);
    const [reference = "", said = ""] = match?.slice(2).map((part = "") => part.trim().slice(0, 200)) ?? [];
    return [{ tag, text: said, reference, line, column, from }];
  });
}
var tags = ["TODO", "FIXME", "HACK", "XXX"];
function trailed(definitions, lines, { line, column }) {
  let above = line - 1;
  while (above > 0 && /^\s*(?:#|$)/.test(lines[above - 1] ?? "")) above -= 1;
  const at = definitions.findLastIndex(
    ({ form, span }) => (form === "function" || form === "method" || form === "class") && span.end_line === above && span.start_column < column
  );
  return at < 0 || /\S/.test((lines[line - 1] ?? "").slice(0, column)) ? null : at;
}
function innermost(definitions, line, column) {
  for (let at = definitions.length - 1; at >= 0; at -= 1) {
    const span = definitions[at]?.span;
    if (!span || line < span.start_line || line > span.end_line) continue;
    if (line === span.start_line && column < span.start_column) continue;
    if (line === span.end_line && column >= span.end_column) continue;
    return at;
  }
  return null;
}

// source/languages/python/docstring.ts
function docstringOf(body, text) {
  const [first] = body?.children ?? [];
  if (first?.kind !== "string" && first?.kind !== "concatenated_string") return null;
  const parts = first.kind === "string" ? [first] : first.children;
  let value = "";
  for (const part of parts) {
    const piece = stringValue(text.of(part));
    if (piece === null) return null;
    value += piece;
  }
  return cleaned(value);
}
function stringValue(literal) {
  const match = /^([a-z]*)("""|'''|"|')/i.exec(literal);
  const [, prefix, quote] = match ?? [];
  if (prefix === void 0 || quote === void 0 || /[bft]/i.test(prefix)) return null;
  const start = prefix.length + quote.length;
  const closed = literal.length >= start + quote.length && literal.endsWith(quote);
  const inside2 = literal.slice(start, closed ? -quote.length : void 0).replace(/\r\n?/g, "\n");
  return /r/i.test(prefix) || !inside2.includes("\\") ? inside2 : inside2.replace(escapes, unescaped);
}
var escapes = /\\(\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g;
var letters = {
  "\n": "",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "	",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"'
};
function unescaped(whole, code) {
  if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
  if (code.length === 1) return letters[code] ?? whole;
  const point = Number.parseInt(code.slice(1), 16);
  return point <= 1114111 ? String.fromCodePoint(point) : whole;
}
function cleaned(value) {
  const lines = expandTabs(value).split("\n");
  const rest = lines.slice(1).filter((line) => line.trimStart() !== "");
  const indent = rest.reduce(
    (least, line) => Math.min(least, line.length - line.trimStart().length),
    Infinity
  );
  const out = lines.map(
    (line, index) => index === 0 ? line.trimStart() : Number.isFinite(indent) ? line.slice(indent) : line
  );
  while (out.length > 0 && out[out.length - 1] === "") out.pop();
  while (out.length > 0 && out[0] === "") out.shift();
  return out.join("\n");
}
function expandTabs(value) {
  if (!value.includes("	")) return value;
  return value.split("\n").map((line) => {
    let out = "";
    for (const char of line) out += char === "	" ? " ".repeat(8 - out.length % 8) : char;
    return out;
  }).join("\n");
}

// source/languages/python/expressions.ts
function unwrapped(node) {
  let inner = node;
  while (inner.kind === "parenthesized_expression") {
    const [only] = inner.children;
    if (!only) return inner;
    inner = only;
  }
  return inner;
}
function dottedPath(node, text) {
  if (node.kind === "identifier") return text.of(node);
  if (node.kind === "dotted_name") return text.of(node).replace(/\s+/g, "");
  if (node.kind !== "attribute") return null;
  const [object2, name2] = node.children;
  if (name2?.kind !== "identifier" || !object2) return null;
  const head = dottedPath(object2, text);
  return head === null ? null : `${head}.${text.of(name2)}`;
}
function lastName(path) {
  return path.slice(path.lastIndexOf(".") + 1);
}
function firstName(path) {
  const dot = path.indexOf(".");
  return dot < 0 ? path : path.slice(0, dot);
}
function child(node, kind) {
  return node.children.find((one) => one.kind === kind);
}
var patterns = /* @__PURE__ */ new Set([
  "pattern_list",
  "tuple_pattern",
  "list_pattern",
  "list_splat_pattern",
  "dictionary_splat_pattern",
  "parenthesized_expression",
  "expression_list",
  "as_pattern_target",
  "tuple",
  "list",
  "list_splat"
]);
function eachTarget(target, found) {
  if (patterns.has(target.kind)) for (const one of target.children) eachTarget(one, found);
  else found(target);
}
function assignmentsOf(node) {
  const found = [];
  for (let at = node; at?.kind === "assignment"; ) {
    const [target, second, third] = at.children;
    if (!target) break;
    const type = second?.kind === "type" ? second : null;
    at = (type ? third : second) ?? null;
    found.push({ target, type, value: at });
  }
  const value = found[found.length - 1]?.value ?? null;
  if (found.length > 1) for (const one of found) one.value = value;
  return found;
}
function decoratorOf(node) {
  const [expression] = node.children;
  if (!expression) return null;
  const callee = expression.kind === "call" ? expression.children[0] : expression;
  return callee ? { expression, callee } : null;
}
function calleeOf(value, text) {
  if (!value) return null;
  const call2 = unwrapped(value);
  const [callee] = call2.children;
  return call2.kind === "call" && callee ? dottedPath(callee, text) : null;
}
function looksLikeClass(name2) {
  return /^_*[A-Z]/.test(name2) && !isUpperCase(name2);
}
function isUpperCase(name2) {
  return /^_*[A-Z][A-Z0-9_]*$/.test(name2);
}
function aliasName(statement4) {
  const [left] = statement4.children[0]?.children ?? [];
  const name2 = left?.kind === "generic_type" ? left.children[0] : left;
  return name2?.kind === "identifier" ? name2 : null;
}

// source/languages/python/names.ts
function visibilityOf(name2) {
  if (name2.startsWith("__") && !name2.endsWith("__")) return "private";
  return name2.startsWith("_") && !name2.startsWith("__") ? "protected" : "public";
}
function publicNames(root, text) {
  let names = null;
  for (const statement4 of root.children) {
    const change2 = changeOfAll(statement4, text);
    if (!change2) continue;
    const listed = literalNames(change2.value, text);
    if (change2.replaces) names = listed && /* @__PURE__ */ new Map();
    for (const [name2, line] of listed ?? []) if (!names?.has(name2)) names?.set(name2, line);
  }
  return names;
}
function changeOfAll(statement4, text) {
  const [target, ...rest] = statement4.children;
  const value = rest[rest.length - 1];
  if (!target || !value) return null;
  if (statement4.kind === "assignment" || statement4.kind === "augmented_assignment")
    return target.kind === "identifier" && text.of(target) === "__all__" ? { value, replaces: statement4.kind === "assignment" } : null;
  if (statement4.kind !== "call") return null;
  const callee = text.of(target);
  return callee === "__all__.extend" || callee === "__all__.append" ? { value, replaces: false } : null;
}
function literalNames(value, text) {
  const list = value.kind === "argument_list" ? value.children[0] : value;
  if (!list) return null;
  const items = list.kind === "string" ? [list] : list.children;
  if (!/^(string|list|tuple|expression_list|parenthesized_expression)$/.test(list.kind)) return null;
  const names = [];
  for (const item2 of items) {
    const name2 = item2.kind === "string" ? stringValue(text.of(item2)) : null;
    if (name2 === null) return null;
    names.push([name2, text.line(item2.start)]);
  }
  return names;
}
function isTypeChecking(statement4, text) {
  const [condition] = statement4.children;
  return condition !== void 0 && /^(\w+\.)?TYPE_CHECKING$/.test(text.of(condition));
}
function bodyOf(definition) {
  return child(definition, "block");
}

// source/languages/python/parameters.ts
function writtenParameters(list) {
  const found = [];
  for (const one of list?.children ?? []) {
    const written = writtenParameter(one);
    if (written) found.push(written);
  }
  return found;
}
function writtenParameter(one) {
  const [first, ...others] = one.children;
  const type = others.find((each2) => each2.kind === "type") ?? null;
  switch (one.kind) {
    case "identifier":
    case "tuple_pattern":
      return { target: one, type: null, value: null, rest: false };
    case "list_splat_pattern":
    case "dictionary_splat_pattern":
      return first ? { target: first, type: null, value: null, rest: true } : null;
    case "default_parameter":
    case "typed_default_parameter":
      return first ? { target: first, type, value: others[others.length - 1] ?? null, rest: false } : null;
    case "typed_parameter": {
      const inner = first && writtenParameter(first);
      return inner ? { ...inner, type } : null;
    }
    default:
      return null;
  }
}
function parameterFacts(list, text) {
  return writtenParameters(list).map((one) => ({
    name: text.of(one.target),
    type: one.type && text.of(one.type),
    optional: one.value !== null,
    rest: one.rest
  }));
}
function eachParameterName(list, found) {
  for (const one of writtenParameters(list)) eachTarget(one.target, found);
}

// source/languages/python/functions.ts
function functionHead(node, decorators, text, stub) {
  const body = bodyOf(node);
  const parameters = child(node, "parameters");
  const type = child(node, "type");
  const names = decorators.map((one) => decoratorName(one, text));
  const end = type?.end ?? parameters?.end ?? child(node, "identifier")?.end ?? node.end;
  return {
    signature: text.signature(node.start, end),
    docstring: docstringOf(body, text),
    decorators: decoratorTexts(decorators, text),
    is_async: /^async\b/.test(text.text.slice(node.start, node.start + 6)),
    is_generator: body !== void 0 && text.text.slice(node.start, node.end).includes("yield") && yields(body),
    is_static: names.some((name2) => name2 === "staticmethod" || name2 === "classmethod"),
    is_abstract: names.some((name2) => /^abstract(class|static)?(method|property)$/.test(name2)),
    declaration_only: names.includes("overload") || stub && isEllipsis(body),
    parameters: parameterFacts(parameters, text),
    return_type: type ? text.of(type) : null
  };
}
function decoratorTexts(decorators, text) {
  return decorators.flatMap((one) => {
    const [expression] = one.children;
    return expression ? [text.folded(expression.start, expression.end, 300)] : [];
  });
}
function decoratorName(decorator2, text) {
  const callee = decoratorOf(decorator2)?.callee;
  return callee ? lastName(dottedPath(callee, text) ?? "") : "";
}
function isEllipsis(body) {
  return body?.children.every((one) => one.kind === "ellipsis" || one.kind === "string") ?? true;
}
function yields(node) {
  return node.children.some(
    (one) => one.kind === "yield" || one.kind !== "function_definition" && one.kind !== "class_definition" && one.kind !== "lambda" && yields(one)
  );
}

// source/languages/python/classes.ts
function classHead(node, decorators, text) {
  const list = child(node, "argument_list");
  const parameters = child(node, "type_parameter");
  const bases = basesOf(list, text);
  const end = list?.end ?? parameters?.end ?? child(node, "identifier")?.end ?? node.end;
  const body = bodyOf(node);
  return {
    signature: text.signature(node.start, end),
    docstring: docstringOf(body, text),
    decorators: decoratorTexts(decorators, text),
    is_abstract: bases.some((one) => lastName(one.name) === "ABC") || hasAbstractMeta(list, text) || hasAbstract(body, text),
    bases
  };
}
function basesOf(list, text) {
  const bases = [];
  for (const one of list?.children ?? []) {
    if (one.kind === "keyword_argument" || one.kind.endsWith("_splat") || one.kind === "ERROR") continue;
    const generic = one.kind === "subscript" ? one.children[0] : one;
    if (!generic) continue;
    const name2 = dottedPath(generic, text) ?? text.folded(generic.start, generic.end, 120);
    bases.push({ name: name2, relation: "extends", line: text.line(one.start) });
  }
  return bases;
}
function hasAbstractMeta(list, text) {
  return (list?.children ?? []).some((one) => {
    const [name2, value] = one.children;
    if (one.kind !== "keyword_argument" || !name2 || !value || text.of(name2) !== "metaclass") return false;
    return lastName(dottedPath(value, text) ?? "") === "ABCMeta";
  });
}
function hasAbstract(body, text) {
  return (body?.children ?? []).some(
    (one) => one.kind === "decorated_definition" && one.children.some((each2) => {
      const callee = each2.kind === "decorator" ? decoratorOf(each2)?.callee : void 0;
      return callee !== void 0 && /(^|\.)abstract(class|static)?(method|property)$/.test(text.of(callee));
    })
  );
}

// source/languages/python/statements.ts
var compound = /* @__PURE__ */ new Set([
  "block",
  "if_statement",
  "elif_clause",
  "else_clause",
  "for_statement",
  "while_statement",
  "try_statement",
  "except_clause",
  "finally_clause",
  "with_statement",
  "match_statement",
  "case_clause",
  "ERROR"
]);
var branching = /* @__PURE__ */ new Set([
  "if_statement",
  "elif_clause",
  "else_clause",
  "for_statement",
  "while_statement",
  "try_statement",
  "except_clause",
  "case_clause"
]);

// source/tree-memory.ts
import { Parser } from "web-tree-sitter";

// source/web-assembly.ts
var { WebAssembly } = globalThis;
var WasmMemory = WebAssembly.Memory;
var WasmTrap = WebAssembly.RuntimeError;

// source/tree-memory.ts
var MEMORY = new WasmMemory({ initial: 512, maximum: 32768 });
var module = { wasmMemory: MEMORY };
function callsOf(library) {
  return {
    /** Where the buffer begins, in numbers of 32 bits. */
    buffer: library._ts_init() >> 2,
    free: library._free,
    root: library._ts_tree_root_node_wasm,
    type: library._ts_node_symbol_wasm,
    end: library._ts_node_end_index_wasm,
    children: library._ts_node_named_children_wasm,
    walk: library._ts_tree_cursor_new_wasm,
    endWalk: library._ts_tree_cursor_delete_wasm,
    toFirstChild: library._ts_tree_cursor_goto_first_child_wasm,
    toNextSibling: library._ts_tree_cursor_goto_next_sibling_wasm,
    toParent: library._ts_tree_cursor_goto_parent_wasm,
    typeHere: library._ts_tree_cursor_current_node_type_id_wasm,
    startHere: library._ts_tree_cursor_start_index_wasm,
    endHere: library._ts_tree_cursor_end_index_wasm
  };
}
var started = null;
async function startLibrary() {
  await Parser.init(module);
  started ??= callsOf(module);
}
function libraryMemory() {
  return MEMORY.buffer.byteLength;
}
function running() {
  if (started === null) throw new Error("Trees are read before startLibrary() is done.");
  return started;
}
var SIZE = 5;
var TreeNodes = class {
  #calls = running();
  #tree;
  #memory = new Int32Array(MEMORY.buffer);
  constructor(tree) {
    this.#tree = addressOf(tree);
  }
  /** Hands the root to `take`. */
  root(take) {
    this.#calls.root(this.#tree);
    return this.#taken(this.#current(), this.#calls.buffer, take);
  }
  /** The offset behind a node's last character. */
  end({ id, start, row, column, other }) {
    put(this.#current(), this.#calls.buffer, id, start, row, column, other);
    return this.#calls.end(this.#tree);
  }
  /** Hands the named children of a node to `take`, in the order of the text. */
  children({ id, start, row, column, other }, take) {
    const { buffer, children, free } = this.#calls;
    put(this.#current(), buffer, id, start, row, column, other);
    children(this.#tree);
    const memory = this.#current();
    const count = memory[buffer] ?? 0;
    if (count === 0) return;
    const address = memory[buffer + 1] ?? 0;
    for (let index = 0; index < count; index += 1) this.#taken(memory, (address >> 2) + index * SIZE, take);
    free(address);
  }
  #taken(memory, at, take) {
    const id = memory[at] ?? 0;
    const start = memory[at + 1] ?? 0;
    const row = memory[at + 2] ?? 0;
    const column = memory[at + 3] ?? 0;
    const other = memory[at + 4] ?? 0;
    put(memory, this.#calls.buffer, id, start, row, column, other);
    return take(this.#calls.type(this.#tree), id, start, row, column, other);
  }
  /** When memory grows, the view of it is empty from then on. */
  #current() {
    if (this.#memory.length === 0) this.#memory = new Int32Array(MEMORY.buffer);
    return this.#memory;
  }
};
function put(memory, at, id, start, row, column, other) {
  memory[at] = id;
  memory[at + 1] = start;
  memory[at + 2] = row;
  memory[at + 3] = column;
  memory[at + 4] = other;
}
var TreeWalk = class {
  #calls = running();
  #tree;
  constructor(tree) {
    this.#tree = addressOf(tree);
    this.#calls.root(this.#tree);
    this.#calls.walk(this.#tree);
  }
  /** False where there is none; then the walk stays where it is. */
  toFirstChild() {
    return this.#calls.toFirstChild(this.#tree) === 1;
  }
  /** As {@link toFirstChild}. */
  toNextSibling() {
    return this.#calls.toNextSibling(this.#tree) === 1;
  }
  /** As {@link toFirstChild}. */
  toParent() {
    return this.#calls.toParent(this.#tree) === 1;
  }
  /** The number of the type of the node where the walk is. */
  get type() {
    return this.#calls.typeHere(this.#tree);
  }
  /** Where that node begins. */
  get start() {
    return this.#calls.startHere(this.#tree);
  }
  /** Where it ends. */
  get end() {
    return this.#calls.endHere(this.#tree);
  }
  /** Frees what the walk needed. */
  close() {
    this.#calls.endWalk(this.#tree);
  }
};
function addressOf(tree) {
  return tree[0];
}

// source/languages/python/syntax.ts
function startOf(node) {
  const [first] = node.children;
  return node.end > 0 || !first ? node.start : startOf(first);
}
function endOf2(node) {
  const last2 = node.children[node.children.length - 1];
  return node.end > 0 || !last2 ? node.end : endOf2(last2);
}
var DEEPEST3 = 400;
var treatments = {
  binary_operator: "operator",
  boolean_operator: "operator",
  comparison_operator: "operator",
  not_operator: "operator",
  unary_operator: "operator",
  expression_statement: "single",
  with_clause: "splice",
  interpolation: "splice",
  format_specifier: "splice",
  format_expression: "splice",
  string: "text",
  comment: "comment",
  attribute: "pair",
  call: "pair",
  identifier: "name",
  ...each("bare", "block if_statement elif_clause else_clause for_statement while_statement try_statement"),
  ...each("bare", "except_clause finally_clause with_statement with_item match_statement case_clause"),
  ...each("bare", "return_statement raise_statement assert_statement delete_statement augmented_assignment"),
  ...each("bare", "global_statement nonlocal_statement print_statement exec_statement decorator yield"),
  ...each("bare", "keyword_argument default_parameter typed_parameter typed_default_parameter"),
  ...each("bare", "expression_list pattern_list pair slice for_in_clause if_clause as_pattern"),
  ...each("bare", "as_pattern_target list_splat_pattern dictionary_splat_pattern"),
  ...each("leaf", "integer float true false none ellipsis dotted_name relative_import"),
  ...each("leaf", "wildcard_import"),
  ...each("skip", "pass_statement break_statement continue_statement line_continuation type_conversion"),
  ...each("skip", "keyword_separator positional_separator string_start string_content string_end"),
  ...each("skip", "escape_sequence escape_interpolation import_prefix")
};
function each(treat, kinds) {
  return Object.fromEntries(kinds.split(" ").map((kind) => [kind, treat]));
}
var holdsExpressions = /^[a-z]*[ft]/i;
var none = [];
function readSyntax(file) {
  const { text, tree } = file;
  const treats = treatsOf(tree.language);
  const kinds = tree.language.types;
  const comments2 = [];
  const root = { kind: "module", start: 0, end: text.length, children: [] };
  const frames = [root];
  const levels = ["node"];
  let frame = root;
  let level = "node";
  let depth = 0;
  let begun = -1;
  const sound = !tree.rootNode.hasError;
  const walk = new TreeWalk(tree);
  let more = walk.toFirstChild();
  while (more) {
    const id = walk.type;
    const treat = treats[id] ?? "node";
    const inherited = begun;
    begun = -1;
    let entered = false;
    if (treat !== "skip") {
      const splice = treat === "splice" || treat === "operator" && level === "operator";
      const placed = !splice && treat !== "bare" && treat !== "single";
      const start = !placed ? 0 : inherited >= 0 ? inherited : walk.start;
      const leaf = treat === "leaf" || treat === "name" || treat === "comment" || // Spliced levels do not deepen what the passes see, so they do not count.
      depth >= DEEPEST3 && !splice || treat === "text" && !holdsExpressions.test(text.slice(start, start + 3));
      const late = treat === "pair" && !leaf;
      const end = treat === "name" ? endOfName(text, start, walk) : placed && !late ? walk.end : 0;
      entered = !leaf && walk.toFirstChild();
      if (entered) {
        if (treat === "operator" || treat === "pair") begun = splice ? inherited : start;
        if (!splice) {
          frame = { kind: kinds[id] ?? "ERROR", start, end, children: [] };
          level = treat;
          depth += 1;
        }
        frames.push(frame);
        levels.push(level);
      } else if (!splice)
        (treat === "comment" ? comments2 : frame.children).push({
          kind: kinds[id] ?? "ERROR",
          start,
          end,
          children: none
        });
    }
    more = entered || !isWhole(frame, level, sound) && walk.toNextSibling();
    while (!more && frames.length > 1) {
      walk.toParent();
      const closed = frame;
      const treated = level;
      frames.pop();
      levels.pop();
      frame = frames[frames.length - 1] ?? root;
      level = levels[levels.length - 1] ?? "node";
      if (closed !== frame) {
        depth -= 1;
        if (treated === "bare" && closed.children.length === 0) {
          closed.start = walk.start;
          closed.end = walk.end;
        }
        if (treated === "pair") closed.end = closed.children[closed.children.length - 1]?.end ?? closed.start;
        const only = treated === "single" && closed.children.length === 1 ? closed.children[0] : void 0;
        frame.children.push(only ?? closed);
      }
      more = !isWhole(frame, level, sound) && walk.toNextSibling();
    }
  }
  walk.close();
  return { root, comments: comments2, errors: sound ? [] : errorsOf(tree) };
}
function isWhole(frame, level, sound) {
  return sound && level === "pair" && frame.children.length === 2;
}
var treatsByGrammar = /* @__PURE__ */ new WeakMap();
function treatsOf(grammar) {
  const known = treatsByGrammar.get(grammar);
  if (known) return known;
  const treats = grammar.types.map(
    (kind, id) => grammar.nodeTypeIsNamed(id) ? treatments[kind] ?? "node" : "skip"
  );
  treatsByGrammar.set(grammar, treats);
  return treats;
}
function endOfName(text, start, walk) {
  for (let at = start; ; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 127) return walk.end;
    const letter = unit >= 97 && unit <= 122 || unit === 95 || unit >= 65 && unit <= 90;
    if (!letter && !(unit >= 48 && unit <= 57)) return at;
  }
}
function errorsOf(tree) {
  const found = [];
  const cursor = tree.walk();
  let entered = true;
  for (; ; ) {
    if (entered) {
      const node = cursor.currentNode;
      if (node.isError || node.isMissing) found.push(node.startIndex);
      if (node.hasError && cursor.gotoFirstChild()) continue;
    }
    entered = cursor.gotoNextSibling();
    if (!entered && !cursor.gotoParent()) break;
  }
  cursor.delete();
  return found;
}

// source/languages/python/definitions.ts
function definitionsOf(root, text, listed, stub) {
  const reader = new DefinitionReader(text, listed, stub);
  reader.readBlock(root, {
    owner: null,
    kind: "module",
    prefix: "",
    self: null,
    members: /* @__PURE__ */ new Set(),
    known: new Names(null),
    branch: null
  });
  return reader;
}
var Names = class {
  constructor(outer) {
    this.outer = outer;
  }
  outer;
  #own = null;
  has(name2) {
    return this.#own?.has(name2) || (this.outer?.has(name2) ?? false);
  }
  add(name2) {
    this.#own ??= /* @__PURE__ */ new Set();
    this.#own.add(name2);
  }
};
var DefinitionReader = class {
  list = [];
  owners = /* @__PURE__ */ new Map();
  targets = /* @__PURE__ */ new Map();
  #text;
  #listed;
  #stub;
  #counts = /* @__PURE__ */ new Map();
  #classes = /* @__PURE__ */ new Set();
  constructor(text, listed, stub) {
    this.#text = text;
    this.#listed = listed;
    this.#stub = stub;
  }
  readBlock(block2, place2) {
    for (const statement4 of block2.children) this.#readStatement(statement4, place2);
  }
  #readStatement(node, place2) {
    switch (node.kind) {
      case "decorated_definition": {
        const definition = node.children[node.children.length - 1];
        const decorators = node.children.filter((one) => one.kind === "decorator");
        if (definition?.kind === "function_definition")
          this.#readFunction(definition, place2, node, decorators);
        else if (definition?.kind === "class_definition")
          this.#readClass(definition, place2, node, decorators);
        return;
      }
      case "function_definition":
        this.#readFunction(node, place2, node, []);
        return;
      case "class_definition":
        this.#readClass(node, place2, node, []);
        return;
      case "assignment":
        this.#readAssignment(node, place2);
        return;
      case "type_alias_statement":
        this.#readTypeAlias(node, place2);
        return;
      default:
        if (compound.has(node.kind)) this.#readCompound(node, place2);
    }
  }
  /** A block knows what outer ones define, not the other way round; functions define no variables. */
  #readCompound(node, place2) {
    const isBranching = branching.has(node.kind);
    const known = place2.kind === "function" ? place2.known : null;
    for (const one of node.children)
      if (one.kind !== "block") this.#readStatement(one, place2);
      else
        this.readBlock(one, {
          ...place2,
          known: known ?? new Names(place2.known),
          branch: isBranching ? one : place2.branch
        });
  }
  #readFunction(node, place2, whole, decorators) {
    const name2 = child(node, "identifier");
    if (!name2 || name2.start === name2.end) return;
    const head = functionHead(node, decorators, this.#text, this.#stub);
    const method = place2.kind === "class";
    const index = this.#add(name2, place2, whole, {
      form: method ? "method" : "function",
      ...head,
      branch: place2.branch ? this.#lines(place2.branch) : void 0
    });
    this.owners.set(node, index);
    const body = bodyOf(node);
    if (!body) return;
    let first = null;
    const names = /* @__PURE__ */ new Set();
    eachParameterName(child(node, "parameters"), (each2) => {
      first ??= this.#text.of(each2);
      names.add(this.#text.of(each2));
    });
    const self = method ? first !== null && !head.decorators.includes("staticmethod") ? { name: first, place: place2 } : null : place2.self && !names.has(place2.self.name) ? place2.self : null;
    this.readBlock(body, this.#inside(index, "function", self));
  }
  #readClass(node, place2, whole, decorators) {
    const name2 = child(node, "identifier");
    if (!name2 || name2.start === name2.end) return;
    if (place2.kind === "module") this.#classes.add(this.#text.of(name2));
    const head = classHead(node, decorators, this.#text);
    const index = this.#add(name2, place2, whole, { form: "class", ...head });
    this.owners.set(node, index);
    const body = bodyOf(node);
    if (!body) return;
    const inside2 = this.#inside(index, "class", null);
    this.#collectMembers(body, inside2.members);
    this.readBlock(body, inside2);
  }
  #inside(owner, kind, self) {
    const prefix = `${this.list[owner]?.qualname}.`;
    return { owner, kind, prefix, self, members: /* @__PURE__ */ new Set(), known: new Names(null), branch: null };
  }
  /** What the class body binds: `self.x = …` of such a name sets a member and defines no new one. */
  #collectMembers(block2, members) {
    for (const node of block2.children) {
      const inner = node.kind === "decorated_definition" ? node.children[node.children.length - 1] : node;
      if (inner?.kind === "function_definition" || inner?.kind === "class_definition") {
        const name2 = child(inner, "identifier");
        if (name2) members.add(this.#text.of(name2));
      } else if (node.kind === "assignment") {
        for (const { target } of assignmentsOf(node))
          eachTarget(target, (leaf) => leaf.kind === "identifier" && members.add(this.#text.of(leaf)));
      } else if (compound.has(node.kind)) this.#collectMembers(node, members);
    }
  }
  #readAssignment(node, place2) {
    if (place2.kind === "function" && !mayDefine(node)) return;
    const assignments = assignmentsOf(node);
    for (const assignment2 of assignments) {
      const lambda = assignment2.value && unwrapped(assignment2.value);
      if (lambda?.kind === "lambda" && assignment2.target.kind === "identifier")
        this.#readLambda(lambda, assignment2, place2, node);
      else eachTarget(assignment2.target, (leaf) => this.#readTarget(leaf, assignment2, place2, node));
    }
  }
  #readLambda(lambda, { target, type }, place2, whole) {
    const list = child(lambda, "lambda_parameters");
    const index = this.#add(target, place2, whole, {
      form: place2.kind === "class" ? "method" : "function",
      signature: this.#text.signature(whole.start, list?.end ?? lambda.start + "lambda".length),
      parameters: parameterFacts(list, this.#text),
      value_type: type && this.#text.of(type)
    });
    if (!this.owners.has(lambda)) this.owners.set(lambda, index);
    this.targets.set(target, index);
  }
  #readTarget(leaf, assignment2, place2, whole) {
    const single = leaf === assignment2.target;
    if (leaf.kind === "identifier") {
      if (place2.kind === "function") return;
      const name2 = this.#text.of(leaf);
      if (place2.known.has(name2) || name2 === "") return;
      place2.known.add(name2);
      if (assignment2.type && /(^|\.)TypeAlias$/.test(this.#text.of(assignment2.type)))
        this.#addType(leaf, place2, whole);
      else this.#addVariable(leaf, place2, whole, place2.kind, single ? assignment2 : null);
    } else if (leaf.kind === "attribute" && place2.self) {
      const [object2, name2] = leaf.children;
      if (object2?.kind !== "identifier" || name2?.kind !== "identifier") return;
      if (this.#text.of(object2) !== place2.self.name) return;
      const owner = place2.self.place;
      const attribute2 = this.#text.of(name2);
      if (owner.members.has(attribute2)) return;
      owner.members.add(attribute2);
      this.#addVariable(name2, owner, whole, "class", single ? assignment2 : null, leaf);
    }
  }
  #readTypeAlias(node, place2) {
    const name2 = aliasName(node);
    if (name2 && place2.kind !== "function") this.#addType(name2, place2, node);
  }
  #addType(name2, place2, whole) {
    const index = this.#add(name2, place2, whole, {
      form: "type",
      signature: this.#text.signature(whole.start, whole.end)
    });
    this.targets.set(name2, index);
  }
  #addVariable(name2, place2, whole, scope, assignment2, target = name2) {
    const annotation = assignment2?.type ? this.#text.of(assignment2.type) : null;
    const index = this.#add(name2, place2, whole, {
      form: "variable",
      signature: this.#text.signature(whole.start, whole.end),
      value_type: annotation ?? (assignment2 && this.#constructed(assignment2.value)),
      scope,
      is_constant: isUpperCase(this.#text.of(name2)) || /^([\w.]*\.)?Final\b/.test(annotation ?? ""),
      is_property: target !== name2
    });
    this.targets.set(target, index);
  }
  #constructed(value) {
    const callee = calleeOf(value, this.#text);
    return callee !== null && (looksLikeClass(lastName(callee)) || this.#classes.has(callee)) ? callee : null;
  }
  #lines(block2) {
    return [this.#text.line(startOf(block2)), this.#text.line(Math.max(0, endOf2(block2) - 1))];
  }
  #add(name2, place2, whole, own) {
    const text = this.#text;
    const simple = text.of(name2);
    const qualname = place2.prefix + simple;
    const key = `${own.form} ${qualname}`;
    const ordinal = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, ordinal);
    return this.list.push({
      form: own.form,
      subkind: own.subkind ?? null,
      name: simple,
      qualname,
      ordinal,
      parent: place2.owner,
      block: null,
      is_property: own.is_property ?? false,
      branch: own.branch,
      span: text.span(whole.start, text.codeEnd(whole)),
      name_line: text.line(name2.start),
      signature: own.signature ?? "",
      docstring: own.docstring ?? null,
      decorators: own.decorators ?? [],
      is_async: own.is_async ?? false,
      is_generator: own.is_generator ?? false,
      is_static: own.is_static ?? false,
      is_abstract: own.is_abstract ?? false,
      visibility: visibilityOf(simple),
      exported: place2.kind === "module" && (this.#listed ? this.#listed.has(simple) : !simple.startsWith("_")),
      declaration_only: own.declaration_only ?? false,
      bases: own.bases ?? [],
      parameters: own.parameters ?? [],
      return_type: own.return_type ?? null,
      type_parameters: void 0,
      value_type: own.value_type ?? null,
      scope: own.scope ?? null,
      is_constant: own.is_constant ?? false
    }) - 1;
  }
};
function mayDefine(assignment2) {
  const [target] = assignment2.children;
  const value = assignment2.children[assignment2.children.length - 1];
  return target?.kind !== "identifier" || value !== void 0 && holdsBody.has(value.kind);
}
var holdsBody = /* @__PURE__ */ new Set(["lambda", "parenthesized_expression", "assignment"]);

// source/languages/python/exports.ts
function exportsOf(path, definitions, imports, redundant, listed) {
  const found = /* @__PURE__ */ new Map();
  for (const { name: name2, exported, name_line } of definitions)
    if (exported && !found.has(name2)) found.set(name2, { name: name2, local: name2, module: null, line: name_line });
  const stars = [];
  const isPackage = /(^|\/)__init__\.pyi?$/.test(path);
  for (const one of imports) {
    if (one.from !== null || one.kind !== "import") continue;
    for (const { imported, local } of one.names) {
      if (local === null) {
        if (!listed) stars.push({ name: "*", local: null, module: one.module, line: one.line });
        continue;
      }
      const isOwn = isPackage && imported !== "*" && !one.type_only && isWithin(path, one.module);
      const given = isOwn || redundant.has(local);
      const passedOn = listed ? listed.has(local) : given && !local.startsWith("_");
      if (passedOn && one.module !== "__future__" && !found.has(local))
        found.set(local, { name: local, local, module: one.module, line: one.line });
    }
  }
  for (const [name2, line] of listed ?? [])
    if (!found.has(name2)) found.set(name2, { name: name2, local: name2, module: null, line });
  return [...found.values(), ...stars].sort((a, b) => a.line - b.line);
}
function isWithin(path, module2) {
  if (module2.startsWith(".")) return !module2.startsWith("..");
  const folders = path.split("/").slice(0, -1);
  const parts = module2.split(".");
  return parts.some((_, at) => parts.slice(0, at + 1).join("/") === folders.slice(-at - 1).join("/"));
}

// source/languages/python/captures.ts
function capturesOf(node) {
  return node.children.flatMap((one) => {
    if (one.kind === "block") return [];
    const name2 = captured(one);
    return name2 ? [name2, ...capturesOf(one)] : capturesOf(one);
  });
}
function captured({ kind, children }) {
  const name2 = kind === "case_pattern" || kind === "splat_pattern" ? children[0] : kind === "keyword_pattern" ? children[1] : kind === "as_pattern" ? children[children.length - 1] : void 0;
  return name2?.kind === "dotted_name" || name2?.kind === "identifier" ? name2 : void 0;
}

// source/languages/python/fillings.ts
var sequences = /* @__PURE__ */ new Set(["expression_list", "tuple", "list"]);
function fillingsOf(node, text) {
  const [target, added] = node.children;
  if (!target || !added) return [];
  if (node.kind === "augmented_assignment") return itemsOf(target, added);
  const [object2, name2] = target.kind === "attribute" ? target.children : [];
  if (!object2 || !name2 || added.kind !== "argument_list") return [];
  const [first, second] = added.children;
  switch (text.of(name2)) {
    case "append":
    case "appendleft":
    case "add":
      return first ? [{ object: object2, key: null, value: first }] : [];
    case "insert":
      return second ? [{ object: object2, key: null, value: second }] : [];
    case "setdefault":
      return first && second ? [{ object: object2, key: first, value: second }] : [];
    case "extend":
      return first ? itemsOf(object2, first) : [];
    case "update":
      return first?.kind === "dictionary" ? first.children.flatMap((pair) => entryOf(object2, pair)) : [];
    default:
      return [];
  }
}
function itemsOf(object2, list) {
  return sequences.has(list.kind) ? list.children.map((value) => ({ object: object2, key: null, value })) : [];
}
function entryOf(object2, { kind, children: [key, value] }) {
  return kind === "pair" && key && value ? [{ object: object2, key, value }] : [];
}

// source/languages/python/builtins.ts
var builtins = new Set(
  `False None True NotImplemented Ellipsis abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
  classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format
  frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max
  memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted
  staticmethod str sum super tuple type vars zip __import__ __name__ __file__ __doc__ __debug__ __builtins__
  __package__ __spec__ __path__ __loader__ __build_class__
  basestring buffer cmp execfile file intern long raw_input reduce reload unichr unicode xrange`.split(/\s+/)
);
function isBuiltin(name2) {
  return builtins.has(name2) || /^(Base)?Exception(Group)?$|^[A-Z]\w*(Error|Warning|Exit|Interrupt|Iteration)$/.test(name2);
}

// source/languages/python/scopes.ts
var strength = { local: 0, import: 1, definition: 2, parameter: 3 };
var Scope = class {
  constructor(kind, parent, owner, self) {
    this.kind = kind;
    this.parent = parent;
    this.owner = owner;
    this.self = self;
  }
  kind;
  parent;
  owner;
  self;
  #names = /* @__PURE__ */ new Map();
  #elsewhere = /* @__PURE__ */ new Map();
  /** Binds a name, in the scope that `global` or `nonlocal` names if any. */
  bind(name2, binding) {
    const other = this.#elsewhere.get(name2);
    if (other && other !== this) {
      other.bind(name2, other.kind === "module" ? "definition" : binding);
      return;
    }
    const known = this.#names.get(name2);
    if (known === void 0 || strength[binding] > strength[known]) this.#names.set(name2, binding);
  }
  /** `global name` or `nonlocal name`: it lives in `scope`. */
  redirect(name2, scope) {
    this.#elsewhere.set(name2, scope);
  }
  /** Where a name used in this scope is bound; null for builtins and unknown names. */
  lookup(name2) {
    let inside2 = true;
    for (let scope = this; scope; scope = scope.parent) {
      if (scope.kind === "class" && !inside2) continue;
      const other = scope.#elsewhere.get(name2);
      if (other && other !== scope) return other.lookup(name2);
      const binding = scope.#names.get(name2);
      if (binding !== void 0) return { scope, binding };
      if (scope.kind !== "head") inside2 = false;
    }
    return null;
  }
  /** Whether names bound here are locals of a function. */
  get holdsLocals() {
    return this.kind !== "module" && this.kind !== "class";
  }
};
var comprehensions = /* @__PURE__ */ new Set([
  "list_comprehension",
  "set_comprehension",
  "dictionary_comprehension",
  "generator_expression"
]);
function scopesOf(root, text, definitions) {
  const binder = new Binder(text, definitions);
  for (const one of root.children) binder.visit(one, binder.module);
  return binder;
}
var Binder = class {
  module = new Scope("module", null, null, null);
  opened = /* @__PURE__ */ new Map();
  nodes = /* @__PURE__ */ new Map();
  heads = /* @__PURE__ */ new Map();
  #text;
  #definitions;
  constructor(text, definitions) {
    this.#text = text;
    this.#definitions = definitions;
  }
  visit(node, scope) {
    switch (node.kind) {
      case "identifier":
      case "attribute":
        if (node.children.length > 0) this.#visitAll(node.children, scope);
        return;
      case "function_definition":
        this.#function(node, scope);
        return;
      case "class_definition":
        this.#class(node, scope);
        return;
      case "lambda":
        this.#lambda(node, scope);
        return;
      case "assignment":
        this.#assignment(node, scope);
        return;
      case "augmented_assignment":
      case "for_statement":
        this.#bindTargets(node.children[0], scope, node.kind === "for_statement" ? "local" : variable(scope));
        break;
      case "as_pattern_target":
        this.#bindTargets(node, scope, "local");
        break;
      case "as_pattern":
        this.#bindCapture(node.children[node.children.length - 1], scope);
        break;
      case "named_expression":
        this.#bindTargets(node.children[0], outsideComprehensions(scope), "local");
        break;
      case "except_clause":
        if (node.children[2]?.kind === "block") this.#bindTargets(node.children[1], scope, "local");
        break;
      case "case_pattern":
      case "splat_pattern":
        this.#bindCapture(node.children[0], scope);
        break;
      case "keyword_pattern":
        this.#bindCapture(node.children[1], scope);
        break;
      case "import_statement":
      case "import_from_statement":
      case "future_import_statement":
        this.#import(node, scope);
        return;
      case "global_statement":
      case "nonlocal_statement":
        this.#redirect(node, scope);
        return;
      case "type_alias_statement":
        this.#typeAlias(node, scope);
        return;
      default:
        if (comprehensions.has(node.kind)) {
          this.#comprehension(node, scope);
          return;
        }
    }
    this.#visitAll(node.children, scope);
  }
  #visitAll(nodes, scope) {
    for (const one of nodes) this.visit(one, scope);
  }
  #function(node, scope) {
    this.#bind(child(node, "identifier"), scope, "definition");
    const owner = this.#definitions.owners.get(node) ?? scope.owner;
    const head = this.#head(node, scope, owner);
    const parameters = child(node, "parameters");
    for (const { value } of writtenParameters(parameters)) if (value) this.visit(value, scope);
    const free = this.#definitions.list[owner ?? -1]?.decorators.includes("staticmethod") === true;
    const self = this.#selfOf(parameters, scope, !free);
    const own = new Scope("function", head, owner, self);
    this.opened.set(node, own);
    eachParameterName(parameters, (name2) => this.#bind(name2, own, "parameter"));
    const body = bodyOf(node);
    if (body) this.#visitAll(body.children, own);
  }
  #class(node, scope) {
    this.#bind(child(node, "identifier"), scope, "definition");
    const owner = this.#definitions.owners.get(node) ?? scope.owner;
    const head = this.#head(node, scope, owner);
    const list = child(node, "argument_list");
    if (list) this.visit(list, head);
    const own = new Scope("class", head, owner, null);
    this.opened.set(node, own);
    const body = bodyOf(node);
    if (body) this.#visitAll(body.children, own);
  }
  #lambda(node, scope) {
    const list = child(node, "lambda_parameters");
    for (const { value } of writtenParameters(list)) if (value) this.visit(value, scope);
    const named2 = this.#definitions.owners.get(node);
    const owner = named2 ?? scope.owner;
    const kind = named2 === void 0 ? "lambda" : "function";
    const own = new Scope(kind, scope, owner, this.#selfOf(list, scope, true));
    this.opened.set(node, own);
    eachParameterName(list, (name2) => this.#bind(name2, own, "parameter"));
    for (const one of node.children) if (one !== list) this.visit(one, own);
  }
  /** The name of the object: a method's first parameter, or the surrounding method's unless it is shadowed. */
  #selfOf(list, scope, bound) {
    const written = writtenParameters(list);
    if (scope.kind !== "class")
      return written.some((one) => this.#text.of(one.target) === scope.self) ? null : scope.self;
    const [first] = written;
    return bound && first && !first.rest ? this.#text.of(first.target) : null;
  }
  #comprehension(node, scope) {
    const own = new Scope("comprehension", scope, scope.owner, scope.self);
    this.opened.set(node, own);
    this.nodes.set(own, node);
    const first = child(node, "for_in_clause");
    for (const one of node.children) {
      if (one.kind === "for_in_clause") this.#bindTargets(one.children[0], own, "local");
      if (one === first) one.children.forEach((part, at) => void this.visit(part, at === 0 ? own : scope));
      else this.visit(one, own);
    }
  }
  #assignment(node, scope) {
    const assignments = assignmentsOf(node);
    for (const { target, type, value: value2 } of assignments) {
      const named2 = target.kind === "identifier" && value2 !== null && unwrapped(value2).kind === "lambda";
      this.#bindTargets(target, scope, named2 ? "definition" : variable(scope));
      this.visit(target, scope);
      if (type) this.visit(type, scope);
    }
    const value = assignments[0]?.value;
    if (value) this.visit(value, scope);
  }
  #typeAlias(node, scope) {
    const name2 = aliasName(node);
    if (!name2) {
      this.#visitAll(node.children, scope);
      return;
    }
    const generic = node.children[0]?.children[0];
    const parameters = generic && child(generic, "type_parameter");
    if (parameters) this.#bindTypeParameters(parameters, this.#headOf(node, scope, scope.owner));
    this.#bind(name2, scope, scope.holdsLocals ? "local" : "definition");
  }
  #head(node, scope, owner) {
    const head = this.#headOf(node, scope, owner);
    const parameters = child(node, "type_parameter");
    if (parameters) this.#bindTypeParameters(parameters, head);
    return head;
  }
  #headOf(node, scope, owner) {
    const head = new Scope("head", scope, owner, scope.self);
    this.heads.set(node, head);
    return head;
  }
  /** `[T, U: Bound, *Ts, **P]`: the first name of each. */
  #bindTypeParameters(list, head) {
    for (const one of list.children) {
      let name2 = one;
      while (name2 && name2.kind !== "identifier") name2 = name2.children[0];
      this.#bind(name2, head, "parameter");
    }
  }
  #import(node, scope) {
    const from = node.kind !== "import_statement";
    node.children.forEach((one, at) => {
      if (from && at === 0 && node.kind === "import_from_statement") return;
      if (one.kind === "aliased_import") this.#bind(one.children[1], scope, "import");
      else if (one.kind === "dotted_name") {
        const name2 = this.#text.of(one);
        scope.bind(from ? name2 : (name2.split(".")[0] ?? name2).trim(), "import");
      }
    });
  }
  #redirect(node, scope) {
    for (const one of node.children) {
      const name2 = this.#text.of(one);
      if (node.kind === "global_statement") scope.redirect(name2, this.module);
      else scope.redirect(name2, this.#enclosing(name2, scope));
    }
  }
  #enclosing(name2, scope) {
    const found = scope.parent?.lookup(name2);
    return found?.scope.holdsLocals ? found.scope : null;
  }
  #bindTargets(target, scope, binding) {
    if (target) eachTarget(target, (leaf) => this.#bind(leaf, scope, binding));
  }
  /** In patterns a plain name captures, a dotted one is looked up. */
  #bindCapture(node, scope) {
    if (node?.kind === "dotted_name" || node?.kind === "identifier") {
      if (!this.#text.of(node).includes(".")) scope.bind(this.#text.of(node), "local");
    }
  }
  #bind(name2, scope, binding) {
    if (name2?.kind === "identifier") scope.bind(this.#text.of(name2), binding);
  }
};
function variable(scope) {
  return scope.holdsLocals ? "local" : "definition";
}
function outsideComprehensions(scope) {
  let outer = scope;
  while (outer.kind === "comprehension" && outer.parent) outer = outer.parent;
  return outer;
}

// source/languages/python/values.ts
var MOST_ITEMS = 100;
var DEEPEST4 = 12;
var followed = /* @__PURE__ */ new Set([
  ...comprehensions,
  "identifier",
  "attribute",
  "call",
  "subscript",
  "await",
  "list",
  "tuple",
  "set",
  "expression_list",
  "dictionary",
  "conditional_expression",
  "boolean_operator",
  "named_expression",
  "lambda"
]);
function mayBeFollowed(node) {
  const inner = unwrapped(node);
  return followed.has(inner.kind);
}
var ValueReader = class {
  /** Names of functions and comprehensions to which something is assigned that may be followed. */
  #live = /* @__PURE__ */ new Map();
  #text;
  #definitions;
  #scopes;
  #importsAll;
  /** `importsAll`: the file imports `*` from somewhere, so that unknown names may come from there. */
  constructor(text, definitions, scopes, importsAll) {
    this.#importsAll = importsAll;
    this.#text = text;
    this.#definitions = definitions;
    this.#scopes = scopes;
  }
  /** Says that a flow leads to a name of a scope. */
  enliven(scope, name2) {
    const known = this.#live.get(scope);
    if (known) known.add(name2);
    else this.#live.set(scope, /* @__PURE__ */ new Set([name2]));
  }
  /** Says that nothing known flows to a name after all. */
  forget(scope, name2) {
    this.#live.get(scope)?.delete(name2);
  }
  /** Whether a first name can be followed: an import, a definition, a parameter of one, a local with a flow. */
  isLive(name2, scope) {
    const found = scope.lookup(name2);
    if (!found) return this.#importsAll && !isBuiltin(name2);
    const { binding, scope: bound } = found;
    if (binding === "definition" || binding === "import") return true;
    if (binding === "parameter" && bound.kind === "function") return true;
    return this.#live.get(bound)?.has(name2) ?? false;
  }
  /** What an expression gives; null when nothing is known of it. */
  value(node, scope, depth = 0) {
    if (depth > DEEPEST4) return null;
    const read2 = (one) => one ? this.value(one, scope, depth + 1) : null;
    const [first, second] = node.children;
    switch (node.kind) {
      case "identifier":
        return this.isLive(this.#text.of(node), scope) ? this.#text.of(node) : null;
      case "attribute":
        return this.#attribute(node, scope, depth);
      case "call":
        return this.#call(node, scope, depth);
      case "subscript":
        return this.#subscript(node, scope, depth);
      case "parenthesized_expression":
        return read2(first);
      case "named_expression":
        return read2(second);
      case "await": {
        const inner = read2(first);
        return inner === null ? null : { await: inner };
      }
      case "list":
      case "tuple":
      case "set":
      case "expression_list":
        return this.#list(node.children, scope, depth);
      case "dictionary":
        return this.#dictionary(node, scope, depth);
      case "conditional_expression":
        return either([first, node.children[2]].map((one) => one && this.alternative(one, scope, depth)));
      case "boolean_operator":
        return either(node.children.map((one) => this.alternative(one, scope, depth)));
      case "lambda": {
        const definition = this.#definitions.owners.get(node);
        return definition === void 0 ? null : { definition };
      }
      case "list_comprehension":
      case "set_comprehension":
      case "generator_expression": {
        const item2 = first && this.value(first, this.#scopes.opened.get(node) ?? scope, depth + 1);
        return item2 ? { list: [item2] } : null;
      }
      default:
        return null;
    }
  }
  /** As {@link value}; `None` is known to be no function. */
  alternative(node, scope, depth = 0) {
    if (node.kind === "none") return { literal: null };
    return this.value(node, scope, depth + 1);
  }
  /** A string or whole number as a value; null for anything else. */
  literal(node) {
    if (node.kind === "integer" && /^\d{1,9}$/.test(this.#text.of(node)))
      return { literal: Number(this.#text.of(node)) };
    const text = node.kind === "string" ? stringValue(this.#text.of(node)) : null;
    return text !== null && text.length <= 60 ? { literal: text } : null;
  }
  /** What a call hands over; null when nothing of it can be followed. Literals are keys to what the function holds. */
  passed(list, scope, depth = 0, withLiterals = false) {
    if (list?.kind !== "argument_list") return null;
    const read2 = (one) => this.value(one, scope, depth + 1) ?? (withLiterals ? this.literal(one) : null);
    const passed = [];
    const named2 = [];
    let isSpread = false;
    for (const one of list.children) {
      const [name2, value] = one.children;
      if (one.kind === "list_splat") isSpread = true;
      else if (one.kind === "keyword_argument") {
        const given = value ? read2(value) : null;
        if (name2 && given !== null) named2.push([this.#text.of(name2), given]);
      } else if (one.kind !== "dictionary_splat" && !isSpread) passed.push(read2(one));
    }
    while (passed.length > 0 && passed[passed.length - 1] === null) passed.pop();
    if (passed.length === 0 && named2.length === 0) return null;
    return named2.length === 0 ? { passed } : { passed, named: Object.fromEntries(named2) };
  }
  #attribute(node, scope, depth) {
    const path = dottedPath(node, this.#text);
    if (path !== null) return this.isLive(firstName(path), scope) ? path : null;
    const [object2, name2] = node.children;
    const of2 = object2 && this.value(object2, scope, depth + 1);
    return of2 && name2 ? { of: of2, member: this.#text.of(name2) } : null;
  }
  #call(node, scope, depth) {
    const [callee, list] = node.children;
    if (!callee) return null;
    if (callee.kind === "identifier" && !scope.lookup(this.#text.of(callee)) && !this.isLive(this.#text.of(callee), scope))
      return this.#builtin(this.#text.of(callee), list, scope, depth);
    const call2 = this.value(callee, scope, depth + 1);
    return call2 === null ? null : { call: call2, ...this.passed(list, scope, depth) };
  }
  /** Python's own functions that hand their argument on. */
  #builtin(name2, list, scope, depth) {
    if (list?.kind !== "argument_list") return null;
    const [first, second] = list.children;
    if (!first && /^(?:list|set)$/.test(name2)) return { list: [] };
    if (name2 === "dict" && (!first || first.kind === "keyword_argument"))
      return this.#entries(list, scope, depth);
    const of2 = first && first.kind !== "keyword_argument" ? this.value(first, scope, depth + 1) : null;
    if (/^(?:list|tuple|set|frozenset|iter|sorted|reversed|dict)$/.test(name2)) return of2;
    if (of2 === null) return null;
    if (name2 === "next") return { of: of2, key: null };
    const member = name2 === "getattr" && second?.kind === "string" ? stringValue(this.#text.of(second)) : null;
    return member === null ? null : { of: of2, member };
  }
  /** `dict(a=f)`. */
  #entries(list, scope, depth) {
    const named2 = Object.entries(this.passed(list, scope, depth)?.named ?? {});
    return { dict: named2.map(([name2, value]) => [{ literal: name2 }, value]) };
  }
  #subscript(node, scope, depth) {
    const [object2, index, ...more] = node.children;
    const of2 = object2 && this.value(object2, scope, depth + 1);
    if (!of2 || !index) return null;
    if (index.kind === "slice") return this.#slice(index, of2);
    if (more.length > 0) return { of: of2, key: { either: [] } };
    return { of: of2, key: this.literal(index) ?? this.value(index, scope, depth + 1) ?? { either: [] } };
  }
  /** `[1:]`, `[1:3]`; any other takes some of the items. */
  #slice(slice, of2) {
    const [first, second, third] = slice.children;
    const [from, to] = [first, second].map((one) => one && this.literal(one));
    if (!from || !to || third) return null;
    const [start, end] = [from, to].map(
      (one) => typeof one === "object" && "literal" in one ? one.literal : ""
    );
    return typeof start === "number" && typeof end === "number" ? { of: of2, from: start, to: end } : null;
  }
  #list(items, scope, depth) {
    if (items.length > MOST_ITEMS) return null;
    const list = items.map((one) => this.alternative(one, scope, depth));
    return items.length === 0 || list.some((one) => one !== null) ? { list } : null;
  }
  #dictionary(node, scope, depth) {
    if (node.children.length > MOST_ITEMS) return null;
    const dict = node.children.flatMap((pair) => {
      const [key, value] = pair.children;
      if (pair.kind !== "pair" || !key || !value) return [];
      return [
        [this.literal(key) ?? this.value(key, scope, depth + 1), this.alternative(value, scope, depth)]
      ];
    });
    return node.children.length === 0 || dict.some(([, value]) => value !== null) ? { dict } : null;
  }
};
function either(values) {
  const either3 = values.map((one) => one ?? null);
  return either3.some((one) => one !== null && !isNothing(one)) ? { either: either3 } : null;
}
function isNothing(value) {
  return typeof value === "object" && "literal" in value && value.literal === null;
}

// source/languages/python/flow-list.ts
var nowhere = { branch: null, loop: null };
var FlowList = class {
  #pending = [];
  #text;
  #scopes;
  #values;
  constructor(text, scopes, values) {
    this.#text = text;
    this.#scopes = scopes;
    this.#values = values;
  }
  add(flow) {
    this.#pending.push(flow);
  }
  /** All flows with their values. A name that nothing known flows to is not followed; that is found out in a first round. */
  facts() {
    const told2 = /* @__PURE__ */ new Map();
    for (const { bound, target, read: read2 } of this.#pending) {
      const names = told2.get(bound) ?? /* @__PURE__ */ new Set();
      told2.set(bound, names);
      const given = read2();
      if (given !== null && !isNothing(given)) names.add(target);
    }
    for (const { bound, target } of this.#pending)
      if (bound && !told2.get(bound)?.has(target)) this.#values.forget(bound, target);
    return this.#pending.flatMap((one) => {
      const value = one.read();
      const hides = one.kind === void 0 && one.keys === void 0 && (told2.get(one.bound)?.has(one.target) || holdsBefore(one));
      const isTold = value !== null && (!isNothing(value) || one.bound === null);
      return isTold || hides ? [this.#fact(one, value)] : [];
    });
  }
  #fact({ kind, target, keys, scope, bound, branches, at, block: within, narrows }, value) {
    const end = endOf2(at);
    const line = this.#text.line(Math.max(0, end - 1));
    const { branch, loop } = branches;
    const block2 = within ?? (bound?.kind === "comprehension" ? this.#scopes.nodes.get(bound) : void 0);
    const keyOf2 = (key) => key && (this.#values.literal(key) ?? this.#values.value(key, scope));
    return {
      kind,
      target,
      keys: keys?.map(keyOf2),
      value,
      from: scope.owner,
      scope: bound && bound.owner !== scope.owner ? bound.owner : void 0,
      block: block2 ? this.#text.span(startOf(block2), endOf2(block2)) : void 0,
      narrows,
      branch: branch ? this.#lines(branch) : void 0,
      loop: loop ? this.#lines(loop) : void 0,
      line,
      column: this.#text.column(end, line)
    };
  }
  #lines(node) {
    return [this.#text.line(startOf(node)), this.#text.line(Math.max(0, endOf2(node) - 1))];
  }
};
function holdsBefore({ bound, target, narrows }) {
  if (!bound || narrows) return false;
  const found = bound.lookup(target);
  if (bound.kind === "comprehension" || bound.kind === "lambda") return bound.parent?.lookup(target) != null;
  return found?.scope === bound && found.binding === "parameter";
}

// source/languages/python/narrowing.ts
function narrowingsOf(node, text) {
  const [condition, block2] = node.children;
  if (!condition) return [];
  if (node.kind === "assert_statement") return holding(condition, null, text);
  if (node.kind === "boolean_operator")
    return block2 && isAnd(node, text) ? holding(condition, block2, text) : [];
  if (node.kind === "conditional_expression") return block2 ? holding(block2, condition, text) : [];
  if (block2?.kind !== "block") return [];
  const [inside2] = condition.children;
  if (condition.kind !== "not_operator" || !inside2 || condition.children.length !== 1)
    return holding(condition, block2, text);
  const last2 = block2.children[block2.children.length - 1];
  const leaves3 = last2?.kind === "return_statement" || last2?.kind === "raise_statement";
  return leaves3 && node.children.length === 2 ? told(inside2, null, text) : [];
}
function holding(condition, block2, text) {
  return conditionsOf(condition, text).flatMap((one) => told(one, block2, text));
}
function conditionsOf(condition, text) {
  const { kind, children } = condition;
  if (kind === "parenthesized_expression") return children.flatMap((one) => conditionsOf(one, text));
  if (kind !== "boolean_operator") return [condition];
  return isAnd(condition, text) ? children.flatMap((one) => conditionsOf(one, text)) : [];
}
function isAnd({ children: [first, second] }, text) {
  return first !== void 0 && second !== void 0 && /\band\b/.test(text.text.slice(first.end, second.start));
}
function told(call2, block2, text) {
  const [callee, list] = call2.children;
  if (call2.kind !== "call" || !callee || text.of(callee) !== "isinstance") return [];
  const [name2, type] = list?.children ?? [];
  if (name2?.kind !== "identifier" || !type) return [];
  return [{ name: name2, classes: type.kind === "tuple" ? type.children : [type], block: block2 }];
}

// source/languages/python/flows.ts
function flowsOf(root, text, scopes, values) {
  const flows = new FlowList(text, scopes, values);
  const reader = new FlowReader(text, scopes, values, flows);
  for (const one of root.children) reader.visit(one, scopes.module, nowhere);
  return flows.facts();
}
var loops = /* @__PURE__ */ new Set(["for_statement", "while_statement"]);
var FlowReader = class {
  #flows;
  #text;
  #scopes;
  #values;
  /** Most files yield and walk nowhere in expressions: then those need no visit. */
  #deep;
  constructor(text, scopes, values, flows) {
    this.#text = text;
    this.#scopes = scopes;
    this.#values = values;
    this.#flows = flows;
    this.#deep = text.text.includes(":=");
  }
  visit(node, outer, branches) {
    const scope = this.#scopes.opened.get(node) ?? outer;
    switch (node.kind) {
      case "function_definition":
        this.#function(node, outer);
        return;
      case "class_definition": {
        const body = bodyOf(node);
        if (body) this.#all(body.children, scope, nowhere);
        return;
      }
      case "lambda":
        this.#lambda(node, outer, scope);
        break;
      case "assignment":
        this.#assignment(node, scope, branches);
        break;
      case "augmented_assignment":
        if (!this.#filled(node, scope, branches)) this.#lost(node.children[0], scope, branches);
        break;
      case "delete_statement":
        for (const one of node.children) this.#lost(one, scope, branches);
        break;
      case "except_clause":
        this.#caught(node, scope, branches);
        break;
      case "case_clause":
        for (const one of capturesOf(node)) this.#lost(one, scope, branchOf(node, branches));
        break;
      case "named_expression":
        this.#given(node.children[0], node.children[1], scope, branches);
        break;
      case "for_statement":
        this.#looped(node, scope, { ...branches, loop: branches.loop ?? node });
        break;
      case "for_in_clause":
        this.#looped(node, scope, branches);
        break;
      case "with_item":
        this.#with(node, scope, branches);
        break;
      case "if_statement":
      case "elif_clause":
      case "assert_statement":
      case "boolean_operator":
      case "conditional_expression":
        this.#narrowed(node, scope, branches);
        break;
      case "return_statement":
      case "yield":
        this.#out(node, scope, branches);
        break;
      case "call":
        this.#filled(node, scope, branches);
        break;
    }
    this.#inside(node, scope, branches);
  }
  #all(nodes, scope, branches) {
    for (const one of nodes) this.visit(one, scope, branches);
  }
  #inside(node, scope, branches) {
    const loop = branches.loop ?? (loops.has(node.kind) ? node : null);
    const isBranching = branching.has(node.kind);
    for (const one of node.children)
      if (this.#deep || visited.has(one.kind))
        this.visit(one, scope, isBranching && one.kind === "block" ? { branch: one, loop } : branches);
  }
  #function(node, outer) {
    const own = this.#scopes.opened.get(node);
    if (!own) return;
    this.#defaults(child(node, "parameters"), outer, own);
    const body = bodyOf(node);
    if (body) this.#all(body.children, own, nowhere);
  }
  #lambda(node, outer, own) {
    const list = child(node, "lambda_parameters");
    const body = node.children[node.children.length - 1];
    if (own.kind === "lambda")
      eachParameterName(list, (name2) => {
        this.#target(name2, { read: () => null, scope: own, branches: nowhere, at: name2, block: node });
      });
    if (own.kind !== "function" || !body || body === list) return;
    this.#defaults(list, outer, own);
    this.#flows.add({ ...this.#source(body, own, nowhere), kind: "return", target: "", bound: null });
  }
  #defaults(list, outer, own) {
    for (const { target, value } of writtenParameters(list)) {
      if (target.kind !== "identifier" || !value) continue;
      const read2 = () => this.#values.literal(value) ?? this.#values.alternative(value, outer);
      const name2 = this.#text.of(target);
      this.#flows.add({
        kind: "default",
        target: name2,
        read: read2,
        scope: own,
        bound: own,
        branches: nowhere,
        at: target
      });
    }
  }
  #assignment(node, scope, branches) {
    for (const { target, value } of assignmentsOf(node))
      if (value) this.#unpack(target, value, scope, branches, value);
  }
  #given(target, value, scope, branches) {
    if (target && value) this.#target(target, this.#source(value, scope, branches));
  }
  #looped({ children: [target, iterable] }, scope, branches) {
    if (target && iterable) this.#target(target, itemOf(this.#source(iterable, scope, branches)));
  }
  /** `a, *b = f, g, h` hands on part by part what stands there as parts. */
  #unpack(target, value, scope, branches, whole) {
    const parts = unpacked.has(target.kind) ? target.children : null;
    const values = sequences.has(unwrapped(value).kind) ? unwrapped(value).children : null;
    if (!parts || !values || values.some((one) => one.kind === "list_splat")) {
      this.#target(target, { ...this.#source(value, scope, branches), at: whole });
      return;
    }
    const star = parts.findIndex((one) => one.kind === "list_splat_pattern");
    parts.forEach((part, at) => {
      const behind = star >= 0 && at > star ? values.length - parts.length : 0;
      const one = values[at + behind];
      if (at === star) {
        const rest = values.slice(at, values.length - (parts.length - star - 1));
        const read2 = () => ({ list: rest.map((each2) => this.#values.value(each2, scope)) });
        this.#target(part, { read: read2, scope, branches, at: whole });
      } else if (one) this.#unpack(part, one, scope, branches, whole);
    });
  }
  /** Tells whether something is put into a container, be it something that cannot be followed. */
  #filled(node, scope, branches) {
    const fillings = fillingsOf(node, this.#text);
    for (const { object: object2, key, value } of fillings)
      if (mayBeFollowed(value)) this.#keyed(object2, [key], this.#source(value, scope, branches));
    return fillings.length > 0;
  }
  /** Names that hold from there on what cannot be followed, or nothing at all. */
  #lost(target, scope, branches) {
    if (!target) return;
    eachTarget(target, (leaf) => {
      const isName2 = leaf.kind === "identifier" || leaf.kind === "dotted_name";
      if (isName2 && !this.#text.of(leaf).includes("."))
        this.#target(leaf, { read: () => null, scope, branches, at: leaf });
    });
  }
  /** `except Failure as failure` holds an instance of the class, in its block. */
  #caught(node, scope, branches) {
    const [caught, target] = child(node, "as_pattern")?.children ?? node.children;
    if (!caught || !target || target.kind === "block") return;
    const instance = (one) => {
      const call2 = this.#values.value(one, scope);
      return call2 === null ? null : { call: call2 };
    };
    const read2 = () => {
      if (caught.kind !== "tuple") return instance(caught);
      const either3 = caught.children.map(instance);
      return either3.some((one) => one !== null) ? { either: either3 } : null;
    };
    this.#target(target, { read: read2, scope, branches: branchOf(node, branches), at: target });
  }
  #with(node, scope, branches) {
    const [value, target] = child(node, "as_pattern")?.children ?? [];
    if (!value || !target) return;
    const source = this.#source(value, scope, branches);
    const read2 = () => {
      const of2 = source.read();
      return of2 === null ? null : { call: { of: of2, member: "__enter__" } };
    };
    this.#target(target, { ...source, read: read2 });
  }
  /** What a condition tells of a name is handed to it as an instance that is made there. */
  #narrowed(node, scope, branches) {
    for (const { name: name2, classes, block: block2 } of narrowingsOf(node, this.#text)) {
      const read2 = () => {
        const made = classes.map((one) => {
          const call2 = this.#values.value(one, scope);
          return call2 === null ? null : { call: call2 };
        });
        return made.length === 1 ? made[0] ?? null : made.some((one) => one !== null) ? { either: made } : null;
      };
      this.#target(name2, { read: read2, scope, branches, at: block2 ? name2 : node, block: block2, narrows: true });
    }
  }
  #out(node, scope, branches) {
    const [value] = node.children;
    const kind = node.kind === "yield" ? "yield" : "return";
    if (value && mayBeFollowed(value))
      this.#flows.add({ ...this.#source(value, scope, branches), kind, target: "", bound: null });
  }
  /** What flows to a target: a name, an attribute, an item, or several of them that take it apart. */
  #target(target, source) {
    if (around2.has(target.kind)) for (const one of target.children) this.#target(one, source);
    else if (unpacked.has(target.kind)) {
      const isStarred = target.children.some((one) => one.kind === "list_splat_pattern");
      target.children.forEach((one, at) => {
        this.#target(one, one.kind === "list_splat_pattern" ? source : itemOf(source, isStarred ? null : at));
      });
    } else if (target.kind === "subscript") {
      const keys = [];
      let object2 = target;
      for (; object2?.kind === "subscript"; object2 = object2.children[0])
        keys.unshift(object2.children[1] ?? null);
      if (object2) this.#keyed(object2, keys, source);
    } else {
      const path = dottedPath(target, this.#text);
      const bound = path === null ? void 0 : source.scope.lookup(firstName(path))?.scope;
      if (path === null || !bound) return;
      this.#flows.add({ ...source, target: path, bound });
      if (target.kind === "identifier") this.#values.enliven(bound, path);
    }
  }
  #keyed(object2, keys, source) {
    const path = dottedPath(object2, this.#text);
    const bound = path === null ? void 0 : source.scope.lookup(firstName(path))?.scope;
    if (path !== null && bound) this.#flows.add({ ...source, target: path, keys, bound });
  }
  #source(value, scope, branches) {
    const isFollowed = mayBeFollowed(value) || value.kind === "none";
    const read2 = () => (isFollowed ? this.#values.alternative(value, scope) : null) ?? (scope.kind === "module" ? this.#values.literal(value) : null);
    return { read: read2, scope, branches, at: value };
  }
};
function branchOf(clause, { branch, loop }) {
  return { branch: child(clause, "block") ?? branch, loop };
}
function itemOf(source, at = null) {
  const read2 = () => {
    const of2 = source.read();
    return of2 === null ? null : { of: of2, key: at === null ? null : { literal: at } };
  };
  return { ...source, read: read2 };
}
var unpacked = /* @__PURE__ */ new Set([
  "pattern_list",
  "tuple_pattern",
  "list_pattern",
  "tuple",
  "list",
  "expression_list"
]);
var around2 = /* @__PURE__ */ new Set(["parenthesized_expression", "as_pattern_target", "list_splat_pattern"]);
var visited = /* @__PURE__ */ new Set([
  ...branching,
  ...comprehensions,
  ..."block finally_clause assert_statement delete_statement with_statement with_item match_statement ERROR decorated_definition function_definition class_definition assignment augmented_assignment return_statement yield call lambda for_in_clause argument_list keyword_argument await boolean_operator not_operator conditional_expression parenthesized_expression".split(" ")
]);

// source/languages/python/imports.ts
function importsOf(root, text, scopes) {
  const reader = new ImportReader(text, scopes);
  for (const one of root.children) reader.visit(one, scopes.module, false);
  return reader;
}
var loaders = /* @__PURE__ */ new Set(["importlib.import_module", "import_module", "__import__", "importlib.__import__"]);
var ImportReader = class {
  list = [];
  redundant = /* @__PURE__ */ new Set();
  #text;
  #scopes;
  /** Most files load nothing dynamically: then expressions need no visit. */
  #dynamic;
  constructor(text, scopes) {
    this.#text = text;
    this.#scopes = scopes;
    this.#dynamic = /import_module|__import__/.test(text.text);
  }
  visit(node, outer, typeOnly) {
    const scope = this.#scopes.opened.get(node) ?? outer;
    switch (node.kind) {
      case "import_statement":
        this.#import(node, scope, typeOnly);
        return;
      case "import_from_statement":
      case "future_import_statement":
        this.#importFrom(node, scope, typeOnly);
        return;
      case "assignment": {
        const [target, value] = node.children;
        if (value?.kind === "call" && target?.kind === "identifier") {
          this.#dynamicImport(value, scope, this.#text.of(target));
          for (const one of value.children) this.visit(one, scope, typeOnly);
          return;
        }
        break;
      }
      case "call":
        this.#dynamicImport(node, scope, null);
        break;
      case "if_statement": {
        const checked = isTypeChecking(node, this.#text);
        for (const one of node.children)
          this.visit(one, scope, typeOnly || checked && one.kind === "block");
        return;
      }
    }
    for (const one of node.children)
      if (this.#dynamic || statements.has(one.kind)) this.visit(one, scope, typeOnly);
  }
  #import(node, scope, typeOnly) {
    for (const one of node.children) {
      const [path, alias3] = one.kind === "aliased_import" ? one.children : [one];
      if (path?.kind !== "dotted_name") continue;
      const module2 = dottedPath(path, this.#text) ?? "";
      const local = alias3 ? this.#text.of(alias3) : firstName(module2);
      if (alias3 && local === module2 && scope.kind === "module") this.redundant.add(local);
      this.#add(module2, "import", typeOnly, [{ imported: "*", local }], scope, node);
    }
  }
  #importFrom(node, scope, typeOnly) {
    const future = node.kind === "future_import_statement";
    const [first, ...rest] = node.children;
    if (!first) return;
    const names = [];
    for (const one of future ? node.children : rest) {
      if (one.kind === "wildcard_import") names.push({ imported: "*", local: null });
      else if (one.kind === "dotted_name") {
        const name2 = this.#text.of(one);
        names.push({ imported: name2, local: name2 });
      } else if (one.kind === "aliased_import") {
        const [name2, alias3] = one.children;
        if (!name2 || !alias3) continue;
        const [imported, local] = [this.#text.of(name2), this.#text.of(alias3)];
        if (imported === local && scope.kind === "module") this.redundant.add(local);
        names.push({ imported, local });
      }
    }
    const module2 = future ? "__future__" : this.#text.of(first).replace(/\s+/g, "");
    this.#add(module2, "import", typeOnly, names, scope, node);
  }
  #dynamicImport(call2, scope, local) {
    const [callee, list] = call2.children;
    const path = callee && dottedPath(callee, this.#text);
    if (!path || !loaders.has(path)) return;
    const [first] = list?.children ?? [];
    const module2 = first?.kind === "string" ? stringValue(this.#text.of(first)) : null;
    if (module2) this.#add(module2, "dynamic", false, [{ imported: "*", local }], scope, call2);
  }
  #add(module2, kind, type_only, names, scope, node) {
    const line = this.#text.line(node.start);
    const column = this.#text.column(node.start, line);
    this.list.push({ module: module2, kind, type_only, names, from: scope.owner, line, column });
  }
};
var statements = /* @__PURE__ */ new Set([
  ...compound,
  "import_statement",
  "import_from_statement",
  "future_import_statement",
  "decorated_definition",
  "function_definition",
  "class_definition"
]);

// source/languages/python/annotations.ts
var dottedName = /^[\p{ID_Start}_][\p{ID_Continue}]*(\.[\p{ID_Start}_][\p{ID_Continue}]*)*$/u;
var AnnotationReader = class {
  #text;
  #found;
  #visitValue;
  /** `visitValue` reads what is no type: calls, the metadata of `Annotated`. */
  constructor(text, found, visitValue2) {
    this.#text = text;
    this.#found = found;
    this.#visitValue = visitValue2;
  }
  /** A type: every name in it, those in strings too. */
  read(node, scope) {
    if (node.kind === "identifier") {
      this.#found.name(node, scope, "type");
      return;
    }
    if (node.kind === "string") {
      this.#readString(node, scope);
      return;
    }
    const path = node.kind === "attribute" ? dottedPath(node, this.#text) : null;
    if (path !== null) {
      this.#found.path("type", node, path, scope);
      return;
    }
    if (node.kind === "call" || node.kind === "lambda") {
      this.#visitValue(node, scope);
      return;
    }
    const [generic, ...inside2] = node.children;
    const name2 = generic && dottedPath(generic, this.#text);
    if (generic && name2 && /(^|\.)Literal$/.test(name2)) {
      this.read(generic, scope);
      return;
    }
    if (generic && name2 && /(^|\.)Annotated$/.test(name2) && inside2.length > 0) {
      const [type, ...metadata] = inside2.flatMap(
        (one) => one.kind === "type_parameter" ? one.children : [one]
      );
      this.read(generic, scope);
      if (type) this.read(type, scope);
      for (const one of metadata)
        for (const value of one.kind === "type" ? one.children : [one]) this.#visitValue(value, scope);
      return;
    }
    for (const one of node.children) this.read(one, scope);
  }
  #readString(node, scope) {
    const literal = this.#text.of(node);
    const [, quote, inside2] = /^[ru]?("""|'''|"|')([\s\S]*)\1$/i.exec(literal) ?? [];
    if (quote === void 0 || inside2 === void 0 || !dottedName.test(inside2)) return;
    const start = node.start + literal.indexOf(quote) + quote.length;
    this.#found.path(
      "type",
      { kind: "identifier", start, end: start + inside2.length, children: [] },
      inside2,
      scope
    );
  }
};

// source/languages/python/found-references.ts
var NO_CALL = { arguments: null };
var FoundReferences = class {
  list = [];
  #text;
  #importsAll;
  /** `importsAll`: the file imports `*` from somewhere, so that unknown names may come from there. */
  constructor(text, importsAll) {
    this.#text = text;
    this.#importsAll = importsAll;
  }
  /** A bare name. Locals and builtins are no references. */
  name(node, scope, use) {
    const name2 = this.#text.of(node);
    if (use === "type" ? this.#isTypeName(name2, scope) : this.isProgramName(name2, scope))
      this.add(use, node, null, "none", node, scope, isLocal(name2, scope));
  }
  /** Whether a name is bound to what another place can define: a definition or an import. */
  isProgramName(name2, scope) {
    const found = scope.lookup(name2);
    if (!found) return this.#importsAll && name2 !== "" && !isBuiltin(name2);
    return found.binding === "definition" || found.binding === "import";
  }
  /** Types may be named before or without a binding, in strings and under conditions. */
  #isTypeName(name2, scope) {
    return scope.lookup(name2) ? this.isProgramName(name2, scope) : !isBuiltin(name2);
  }
  /** A dotted path whose last name stands at the end of `node`. */
  path(kind, node, path, scope) {
    const first = firstName(path);
    const known = kind === "type" ? this.#isTypeName(first, scope) : this.isProgramName(first, scope);
    if (!known && first !== scope.self) return;
    const dot = path.lastIndexOf(".");
    const name2 = { ...node, start: node.end - (path.length - dot - 1) };
    const receiver = dot < 0 ? null : path.slice(0, dot);
    const form = receiver === null ? "none" : first === scope.self ? "this" : "path";
    this.add(kind, name2, receiver, form, node, scope, form !== "this" && isLocal(first, scope));
  }
  /** One reference; `name` is the node of the last name, `whole` the expression. */
  add(kind, name2, receiver, form, whole, scope, local, call2 = NO_CALL) {
    const text = this.#text;
    const simple = call2.name ?? text.of(name2);
    if (simple === "") return;
    const line = text.line(name2.start);
    this.list.push({
      kind,
      name: simple,
      receiver: receiver === null ? null : receiver.slice(0, 120),
      receiver_form: form,
      from: scope.owner,
      line,
      column: text.column(name2.start, line),
      expression: text.folded(whole.start, whole.end, 120),
      local,
      arguments: call2.arguments,
      on: void 0,
      callee: call2.callee,
      types: void 0,
      values: call2.values
    });
  }
};
function isLocal(name2, scope) {
  const found = scope.lookup(name2);
  return found?.scope.holdsLocals === true && (found.binding === "parameter" || found.binding === "local");
}

// source/languages/python/callees.ts
function callFacts(callee, list, text, values, scope) {
  const isOwn = callee.kind === "identifier" && scope.lookup(text.of(callee))?.binding === "definition";
  const passed = list && values.passed(list, scope, 0, isOwn);
  const value = values.value(callee, scope);
  const root = typeof value === "string" ? firstName(value) : null;
  const isTold = root !== null && (root === scope.self && root !== value || !isLocal(root, scope));
  return {
    arguments: list && positional(list),
    ...value !== null && !isTold && { callee: value },
    ...passed && { values: passed }
  };
}
function spellingOf(node, text) {
  const [first, second] = node.children;
  if (node.kind === "identifier") return text.of(node);
  if (node.kind === "attribute" && second) return text.of(second);
  if (node.kind === "parenthesized_expression" && first) return spellingOf(first, text);
  if (first && node.kind === "call") return `${spellingOf(first, text)}()`;
  if (first && node.kind === "subscript") return `${spellingOf(first, text)}[]`;
  return node.kind === "lambda" ? "lambda" : "expression";
}
function positional(list) {
  if (list.kind === "generator_expression") return 1;
  if (list.kind !== "argument_list") return 0;
  let count = 0;
  for (const one of list.children) {
    if (one.kind === "list_splat") return null;
    if (one.kind !== "keyword_argument" && one.kind !== "dictionary_splat" && one.kind !== "ERROR")
      count += 1;
  }
  return count;
}

// source/languages/python/receivers.ts
var literals = /* @__PURE__ */ new Set([
  "string",
  "concatenated_string",
  "integer",
  "float",
  "true",
  "false",
  "none",
  "ellipsis",
  "list",
  "tuple",
  "dictionary",
  "set",
  "list_comprehension",
  "set_comprehension",
  "dictionary_comprehension",
  "generator_expression"
]);
function receiverOf(object2, text, self) {
  const path = dottedPath(object2, text);
  if (path !== null) {
    return { text: path.slice(0, 120), form: firstName(path) === self ? "this" : "path" };
  }
  const written = text.text.slice(object2.start, Math.min(object2.end, object2.start + 600));
  return { text: written.replace(/\s+/g, "").slice(0, 120), form: formOf(object2, text) };
}
function formOf(object2, text) {
  if (literals.has(unwrapped(object2).kind)) return "literal";
  let at = object2;
  let called2 = false;
  for (; ; ) {
    const inner = at.children[0];
    if (!inner || at.kind !== "attribute" && at.kind !== "call") return called2 ? "call" : "other";
    if (at.kind === "call") {
      if (!called2 && inner.kind === "identifier" && text.of(inner) === "super") return "super";
      called2 = true;
    }
    at = inner;
  }
}

// source/languages/python/references.ts
function referencesOf(root, text, definitions, scopes, values, importsAll) {
  const found = new FoundReferences(text, importsAll);
  const reader = new ReferenceReader(text, definitions, scopes, values, found);
  for (const one of root.children) reader.visit(one, scopes.module, "read");
  return found.list.sort((a, b) => a.line - b.line || a.column - b.column);
}
var ReferenceReader = class {
  #text;
  #definitions;
  #scopes;
  #values;
  #found;
  #annotations;
  constructor(text, definitions, scopes, values, found) {
    this.#text = text;
    this.#definitions = definitions;
    this.#scopes = scopes;
    this.#values = values;
    this.#found = found;
    this.#annotations = new AnnotationReader(text, found, (node, scope) => this.visit(node, scope, "read"));
  }
  visit(node, scope, use) {
    switch (node.kind) {
      case "identifier":
        this.#name(node, scope, use);
        return;
      case "attribute":
        this.#attribute(node, scope, use);
        return;
      case "call":
        this.#call(node, scope);
        return;
      case "decorator":
        this.#decorator(node, scope);
        return;
      case "function_definition":
        this.#function(node, scope);
        return;
      case "class_definition":
        this.#class(node, scope);
        return;
      case "lambda":
        this.#lambda(node, scope);
        return;
      case "assignment":
        this.#assignment(node, scope);
        return;
      case "augmented_assignment":
      case "for_statement":
      case "for_in_clause":
      case "named_expression":
      case "delete_statement":
        this.#targets(node, scope);
        return;
      case "as_pattern_target":
        eachTarget(node, (leaf) => this.visit(leaf, scope, "write"));
        return;
      case "type":
        this.#annotations.read(node, scope);
        return;
      case "type_alias_statement":
        this.#typeAlias(node, scope);
        return;
      case "keyword_argument":
        this.#all(node.children.slice(1), scope, "pass");
        return;
      case "list_splat":
      case "dictionary_splat":
      case "parenthesized_expression":
        this.#all(node.children, scope, use);
        return;
      case "case_pattern":
      case "keyword_pattern":
      case "class_pattern":
      case "splat_pattern":
      case "as_pattern":
      case "dict_pattern":
        this.#pattern(node, scope);
        return;
      case "import_statement":
      case "import_from_statement":
      case "future_import_statement":
      case "global_statement":
      case "nonlocal_statement":
        return;
      default:
        if (comprehensions.has(node.kind)) this.#comprehension(node, scope);
        else if (node.children.length > 0) this.#all(node.children, scope, "read");
    }
  }
  #all(nodes, scope, use) {
    for (const one of nodes) this.visit(one, scope, use);
  }
  /** A target that is a definition itself is no reference. */
  #name(node, scope, use) {
    if (use !== "write" || !this.#definitions.targets.has(node)) this.#found.name(node, scope, use);
  }
  #attribute(node, scope, use) {
    const [object2, name2] = node.children;
    if (!object2) return;
    const receiver = receiverOf(object2, this.#text, scope.self);
    const rooted = receiver.form === "this" || receiver.form === "super" || receiver.form === "path" && this.#found.isProgramName(firstName(receiver.text), scope);
    if (name2?.kind === "identifier" && rooted)
      this.#found.add(
        use,
        name2,
        receiver.text,
        receiver.form,
        node,
        scope,
        receiver.form === "path" && isLocal(firstName(receiver.text), scope)
      );
    this.#receiver(object2, receiver.form, scope);
  }
  /** What a receiver holds besides the dotted path that the reference through it names already. */
  #receiver(object2, form, scope) {
    if (form === "path" || form === "this") return;
    let at = object2;
    while (form === "super" && at.kind === "attribute" && at.children[0]) at = at.children[0];
    this.visit(at, scope, "read");
  }
  #call(node, scope) {
    const [callee] = node.children;
    const list = node.children[node.children.length - 1];
    if (!callee) return;
    this.#callee("call", callee, node, scope, list ?? null);
    this.#asView(callee, scope);
    if (list && list !== callee) {
      if (list.kind === "argument_list") this.#all(list.children, scope, "pass");
      else this.visit(list, scope, "pass");
    }
  }
  /** `View.as_view()`: what it makes stands for the class wherever it is handed to. */
  #asView(callee, scope) {
    const [object2, name2] = callee.kind === "attribute" ? callee.children : [];
    if (!object2 || !name2 || this.#text.of(name2) !== "as_view") return;
    if (dottedPath(object2, this.#text) !== null) this.visit(object2, scope, "pass");
  }
  /** Adds the reference through a callee; false for a decorator's that has no name: `@handlers[key]`. */
  #callee(kind, written, whole, scope, list) {
    const callee = unwrapped((written.kind === "list_splat" ? written.children[0] : null) ?? written);
    const call2 = kind === "call" ? callFacts(callee, list, this.#text, this.#values, scope) : NO_CALL;
    if (callee.kind === "identifier") {
      const name3 = this.#text.of(callee);
      if (name3 === "super" && !scope.lookup(name3)) return true;
      this.#found.add(kind, callee, null, "none", whole, scope, isLocal(name3, scope), call2);
      return true;
    }
    const [object2, name2] = callee.children;
    if (callee.kind !== "attribute" || !object2 || name2?.kind !== "identifier") {
      if (kind === "decorator") return false;
      const name3 = spellingOf(callee, this.#text);
      this.#found.add(kind, callee, null, "other", whole, scope, false, { ...call2, name: name3 });
      this.visit(callee, scope, "read");
      return true;
    }
    const receiver = receiverOf(object2, this.#text, scope.self);
    const local = receiver.form === "path" && isLocal(firstName(receiver.text), scope);
    this.#found.add(kind, name2, receiver.text, receiver.form, whole, scope, local, call2);
    this.#receiver(object2, receiver.form, scope);
    return true;
  }
  #decorator(node, scope) {
    const decorator2 = decoratorOf(node);
    if (!decorator2) return;
    const { expression, callee } = decorator2;
    if (!this.#callee("decorator", callee, expression, scope, null)) this.visit(callee, scope, "read");
    if (expression !== callee)
      for (const one of expression.children.slice(1))
        this.#all(one.kind === "argument_list" ? one.children : [one], scope, "pass");
  }
  #function(node, scope) {
    const head = this.#scopes.heads.get(node) ?? scope;
    for (const one of node.children) {
      if (one.kind === "type" || one.kind === "type_parameter") this.#annotations.read(one, head);
      if (one.kind !== "parameters") continue;
      for (const { type, value } of writtenParameters(one)) {
        if (type) this.#annotations.read(type, head);
        if (value) this.visit(value, scope, "read");
      }
    }
    const body = bodyOf(node);
    const own = this.#scopes.opened.get(node);
    if (body && own) this.#all(body.children, own, "read");
  }
  #class(node, scope) {
    const head = this.#scopes.heads.get(node) ?? scope;
    for (const one of child(node, "argument_list")?.children ?? []) {
      if (one.kind === "subscript")
        for (const type of one.children.slice(1)) this.#annotations.read(type, head);
      else if (dottedPath(one, this.#text) === null) this.visit(one, head, "read");
    }
    const parameters = child(node, "type_parameter");
    if (parameters) this.#annotations.read(parameters, head);
    const body = bodyOf(node);
    const own = this.#scopes.opened.get(node);
    if (body && own) this.#all(body.children, own, "read");
  }
  #lambda(node, scope) {
    const list = child(node, "lambda_parameters");
    for (const { value } of writtenParameters(list)) if (value) this.visit(value, scope, "read");
    const own = this.#scopes.opened.get(node) ?? scope;
    for (const one of node.children) if (one !== list) this.visit(one, own, "read");
  }
  #comprehension(node, scope) {
    const own = this.#scopes.opened.get(node) ?? scope;
    const first = child(node, "for_in_clause");
    for (const one of node.children) {
      if (one !== first) this.visit(one, own, "read");
      else
        one.children.forEach(
          (part, at) => void this.visit(part, at === 0 ? own : scope, at === 0 ? "write" : "read")
        );
    }
  }
  #assignment(node, scope) {
    const assignments = assignmentsOf(node);
    let alias3 = false;
    for (const { target, type } of assignments) {
      eachTarget(target, (leaf) => this.visit(leaf, scope, "write"));
      if (type) this.#annotations.read(type, scope);
      if (type && /(^|\.)TypeAlias$/.test(this.#text.of(type))) alias3 = true;
    }
    const value = assignments[0]?.value;
    if (!value) return;
    if (alias3) this.#annotations.read(value, scope);
    else this.visit(value, scope, "read");
  }
  #typeAlias(node, scope) {
    const [left, value] = node.children;
    if (aliasName(node)) {
      if (value) this.visit(value, this.#scopes.heads.get(node) ?? scope, "read");
      return;
    }
    let list = left;
    while (list && list.kind !== "parenthesized_expression" && list.kind !== "tuple") list = list.children[0];
    const whole = list && { ...list, start: this.#text.text.lastIndexOf("type", list.start) };
    if (list && whole && whole.start >= 0) {
      const name2 = { ...whole, end: whole.start + "type".length };
      this.#found.add("call", name2, null, "none", whole, scope, isLocal("type", scope), {
        arguments: list.children.length
      });
      this.#all(list.children, scope, "pass");
    }
    if (value) this.#all(value.children, scope, "read");
  }
  #targets(node, scope) {
    node.children.forEach((one, at) => {
      if (at === 0)
        eachTarget(one, (leaf) => this.visit(leaf, scope, leaf.kind === "subscript" ? "read" : "write"));
      else this.visit(one, scope, "read");
    });
  }
  #pattern(node, scope) {
    for (const [at, one] of node.children.entries()) {
      if (one.kind !== "identifier" && one.kind !== "dotted_name") {
        this.visit(one, scope, "read");
        continue;
      }
      const path = dottedPath(one, this.#text) ?? "";
      if (node.kind === "class_pattern" ? at === 0 : path.includes("."))
        this.#found.path("read", one, path, scope);
      else if (node.kind === "as_pattern" && at === 0) this.visit(one, scope, "read");
    }
  }
};

// source/languages/test-folder.ts
var TEST_FOLDER = /(?:^|\/)(?:tests?|specs?)\//;
function isInTestFolder(path) {
  return TEST_FOLDER.test(path);
}

// source/languages/python/routes/found.ts
function foundNodes(root, scopes) {
  const found = {
    assignments: [],
    functions: [],
    decorations: [],
    calls: []
  };
  const visit2 = (node, scope) => {
    const { kind, children } = node;
    if (kind === "call") found.calls.push({ node, scope });
    else if (kind === "assignment") found.assignments.push({ node, scope });
    else if (kind === "decorated_definition") {
      const decorated = children[children.length - 1];
      for (const one of children) {
        const call2 = one.kind === "decorator" ? decoratorOf(one)?.expression : void 0;
        if (call2?.kind === "call" && decorated) found.decorations.push({ node: call2, scope, decorated });
      }
    }
    const body = bodyOf(node);
    const own = scopes.opened.get(node) ?? scope;
    if (kind === "function_definition") found.functions.push({ node, scope: own });
    for (const one of children) visit2(one, one === body ? own : scope);
  };
  for (const one of root.children) visit2(one, scopes.module);
  return found;
}

// source/languages/python/routes/arguments.ts
function givenTo(call2, text) {
  const all2 = child(call2, "argument_list")?.children ?? [];
  const passed = [];
  const named2 = /* @__PURE__ */ new Map();
  for (const one of all2) {
    const [name2, value] = one.children;
    if (one.kind !== "keyword_argument") passed.push(unwrapped(one));
    else if (name2 && value) named2.set(text.of(name2), unwrapped(value));
  }
  return { all: all2, passed, named: named2 };
}
function textOf(node, text) {
  if (node?.kind === "concatenated_string") {
    const parts = node.children.map((one) => textOf(one, text));
    return parts.every((one) => one !== null) ? parts.join("") : null;
  }
  return node?.kind === "string" ? stringValue(text.of(node)) : null;
}
function pathOf(node, text) {
  const plain = textOf(node, text);
  if (plain !== null) return { text: plain, isOpen: false };
  const inside2 = /^(?:[rR]?[fF]|[fF][rR])("""|'''|"|')([\s\S]*)\1$/.exec(text.of(node))?.[2];
  return { text: inside2 ?? `{${text.of(node)}}`, isOpen: inside2 === void 0 || inside2.startsWith("{") };
}
function textsOf(node, text) {
  if (!node || !["list", "tuple", "set"].includes(node.kind)) return null;
  const texts = node.children.map((one) => textOf(one, text));
  return texts.every((one) => one !== null) ? texts : null;
}

// source/languages/python/routes/routers.ts
var CLASSES = {
  Flask: "flask",
  Quart: "flask",
  APIFlask: "flask",
  Blueprint: "flask",
  APIBlueprint: "flask",
  FastAPI: "fastapi",
  APIRouter: "fastapi"
};
var DEEPEST5 = 50;
var Routers = class {
  #text;
  #imported = /* @__PURE__ */ new Set();
  /** Classes of the file that are routers by what they extend. */
  #classes = /* @__PURE__ */ new Map();
  #named = /* @__PURE__ */ new Map();
  /** `self.app`. */
  #fields = /* @__PURE__ */ new Map();
  constructor({ found, text, imports, definitions }) {
    this.#text = text;
    for (const { names } of imports)
      for (const { local } of names) if (local !== null) this.#imported.add(local);
    for (const { form, name: name2, bases } of definitions) {
      const framework = bases.map((base) => CLASSES[lastName(base.name)]).find((one) => one !== void 0);
      if (form === "class" && framework) this.#classes.set(name2, framework);
    }
    for (const one of found.functions) this.#readParameters(one);
    for (const one of found.assignments) this.#readAssignment(one);
    for (const one of found.calls) this.#readMount(one);
  }
  /** The router that an expression is; null for any other. */
  at(node, scope) {
    const path = dottedPath(unwrapped(node), this.#text);
    if (path === null) return null;
    if (path.includes(".")) return this.#fields.get(path) ?? null;
    const binding = scope.lookup(path);
    return (binding && this.#named.get(binding.scope)?.get(path)) ?? null;
  }
  /**
   * Whether a name may be that of a router that another file makes: it is imported, handed in, or made by a function.
   * What a test stands in for a server is none.
   */
  mayBe(node, scope) {
    const path = dottedPath(unwrapped(node), this.#text);
    if (path === null || STAND_INS.test(lastName(path))) return false;
    const binding = scope.lookup(firstName(path));
    return binding !== null || firstName(path) === scope.self;
  }
  /** What is in front of the paths of a router, as far as this file tells. */
  prefixOf(router, depth = 0) {
    const [mount, ...others] = router.mounts;
    if (mount === void 0 || others.length > 0 || depth > DEEPEST5) return router.prefix;
    const front = this.prefixOf(mount.on, depth + 1);
    if (router.framework === "flask") return joined(router.framework, front, mount.path ?? router.prefix);
    return front + (mount.path ?? "") + router.prefix;
  }
  #readParameters({ node, scope }) {
    for (const { target, type } of writtenParameters(child(node, "parameters"))) {
      const framework = type && this.#typed(this.#text.of(type));
      if (framework && target.kind === "identifier")
        this.#name(target, scope, { framework, prefix: "", mounts: [] });
    }
  }
  #readAssignment({ node, scope }) {
    for (const { target, type, value } of assignmentsOf(node)) {
      const router = (value && this.#made(unwrapped(value))) ?? (type && this.#ofType(this.#typed(this.#text.of(type))));
      if (router) this.#name(target, scope, router);
    }
  }
  #made(value) {
    const [callee] = value.children;
    if (value.kind !== "call" || !callee) return null;
    const path = dottedPath(callee, this.#text);
    const framework = path === null ? null : this.#class(path);
    if (framework === null) return null;
    const { named: named2 } = givenTo(value, this.#text);
    const prefix = textOf(named2.get(framework === "flask" ? "url_prefix" : "prefix"), this.#text);
    return { framework, prefix: prefix ?? "", mounts: [] };
  }
  #ofType(framework) {
    return framework && { framework, prefix: "", mounts: [] };
  }
  #typed(type) {
    return this.#class(/^["']?([\w.]+)/.exec(type)?.[1] ?? "");
  }
  #class(path) {
    const own = this.#classes.get(path);
    if (own) return own;
    const name2 = lastName(path);
    return Object.hasOwn(CLASSES, name2) && this.#imported.has(firstName(path)) ? CLASSES[name2] ?? null : null;
  }
  /** `app.register_blueprint(bp, url_prefix='/x')`, `app.include_router(router, prefix='/x')` */
  #readMount({ node, scope }) {
    const [callee] = node.children;
    const [object2, method] = callee?.kind === "attribute" ? callee.children : [];
    if (!object2 || !method) return;
    const key = MOUNTS.get(this.#text.of(method));
    if (key === void 0) return;
    const { passed, named: named2 } = givenTo(node, this.#text);
    const on = this.at(object2, scope);
    const child2 = passed[0] && this.at(passed[0], scope);
    if (on === null || !child2 || child2 === on) return;
    child2.mounts.push({ on, path: textOf(named2.get(key), this.#text) });
  }
  #name(target, scope, router) {
    const path = dottedPath(target, this.#text);
    if (path === null) return;
    if (path.includes(".")) {
      this.#fields.set(path, router);
      return;
    }
    const binding = scope.lookup(path);
    if (binding === null) return;
    const names = this.#named.get(binding.scope) ?? /* @__PURE__ */ new Map();
    this.#named.set(binding.scope, names.set(path, router));
  }
};
var MOUNTS = /* @__PURE__ */ new Map([
  ["register_blueprint", "url_prefix"],
  ["include_router", "prefix"]
]);
var STAND_INS = /mock|respx|responses|httpretty|client|session|requests/i;
function joined(framework, front, path) {
  if (framework !== "flask" || front === "" || path === "") return front + path;
  return `${front.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
}

// source/languages/python/routes/registrations.ts
var VERBS = /* @__PURE__ */ new Set(["get", "post", "put", "patch", "delete", "head", "options", "trace"]);
var LISTED = /* @__PURE__ */ new Set(["route", "api_route"]);
var ADDING = /* @__PURE__ */ new Map([
  ["add_url_rule", "view_func"],
  ["add_api_route", "endpoint"]
]);
var RegistrationReader = class {
  #text;
  #routers;
  #definitions;
  constructor(text, routers, definitions) {
    this.#text = text;
    this.#routers = routers;
    this.#definitions = definitions;
  }
  /** `@app.route('/x', methods=['GET'])`, `@router.get('/x')` */
  ofDecoration({ node, scope, decorated }) {
    const called2 = this.#called(node);
    const handler2 = this.#definitions.owners.get(decorated);
    if (called2 === null || handler2 === void 0) return null;
    const { object: object2, method, given } = called2;
    const isListed = LISTED.has(method);
    if (!isListed && !VERBS.has(method) && method !== "websocket") return null;
    const router = this.#routers.at(object2, scope);
    const path = given.named.get("path") ?? given.named.get("rule") ?? given.passed[0];
    if (path === void 0) return null;
    if (router === null && !this.#mayRegister(object2, path, scope)) return null;
    const verbs = decorated.kind === "class_definition" ? this.#verbsOf(handler2) : ["GET"];
    const methods = isListed ? this.#methods(given) ?? verbs : [method.toUpperCase()];
    const start = this.#text.text.lastIndexOf("@", node.start);
    return {
      names: this.#names(methods, path, router),
      start,
      end: node.end,
      head: path.end,
      body: null,
      handlers: [handler2],
      named: null
    };
  }
  /** `app.add_url_rule('/x', view_func=view)`, `router.add_api_route('/x', endpoint)` */
  ofCall({ node, scope }) {
    const called2 = this.#called(node);
    if (called2 === null) return null;
    const { object: object2, method, given } = called2;
    const named2 = ADDING.get(method);
    const [path] = given.passed;
    const last2 = given.all[given.all.length - 1];
    const first = given.all[1];
    if (named2 === void 0 || path === void 0 || first === void 0 || last2 === void 0) return null;
    const view = given.named.get(named2) ?? given.passed[method === "add_url_rule" ? 2 : 1];
    const router = this.#routers.at(object2, scope);
    if (view === void 0 || router === null && !this.#mayRegister(object2, path, scope)) return null;
    return {
      names: this.#names(this.#methods(given) ?? this.#viewMethods(view), path, router),
      start: node.start,
      end: node.end,
      head: path.end,
      body: [startOf(first), endOf2(last2)],
      handlers: [],
      named: isName(view) ? view : null
    };
  }
  /** What another file makes is taken for a router where a path is written for it. */
  #mayRegister(object2, path, scope) {
    return (textOf(path, this.#text)?.startsWith("/") ?? false) && this.#routers.mayBe(object2, scope);
  }
  #called(call2) {
    const [callee] = call2.children;
    const [object2, name2] = callee?.kind === "attribute" ? callee.children : [];
    if (!object2 || !name2) return null;
    return { object: object2, method: this.#text.of(name2), given: givenTo(call2, this.#text) };
  }
  #names(methods, path, router) {
    const { text, isOpen } = pathOf(path, this.#text);
    const front = router === null || isOpen ? "" : this.#routers.prefixOf(router);
    const full = joined(router?.framework ?? null, front, text) || "/";
    return [...new Set(methods.map((method) => `${method} ${full}`))];
  }
  /** Null where none are given. A list that is made elsewhere may hold any. */
  #methods({ named: named2 }) {
    const given = named2.get("methods");
    if (given === void 0 || given.kind === "none") return null;
    const texts = textsOf(given, this.#text);
    return texts === null || texts.length === 0 ? ["ALL"] : texts.map((one) => one.toUpperCase());
  }
  /** Of a function Flask's default; of a class, `View.as_view('name')`, the methods that it defines here. */
  #viewMethods(view) {
    const path = view.kind === "call" && view.children[0] ? dottedPath(view.children[0], this.#text) : null;
    if (path === null || lastName(path) !== "as_view") return ["GET"];
    const name2 = path.slice(0, -".as_view".length);
    const at = this.#definitions.list.findIndex((one) => one.form === "class" && one.qualname === name2);
    return at < 0 ? ["ALL"] : this.#verbsOf(at);
  }
  #verbsOf(owner) {
    const isVerb = ({ parent, name: name2, form }) => parent === owner && form === "method" && VERBS.has(name2);
    const verbs = this.#definitions.list.filter(isVerb).map(({ name: name2 }) => name2.toUpperCase());
    return verbs.length === 0 ? ["ALL"] : verbs;
  }
};
function isName({ kind }) {
  return kind === "identifier" || kind === "attribute";
}

// source/languages/python/routes/patterns.ts
var PATTERNS = /* @__PURE__ */ new Set(["path", "re_path", "url"]);
var DEEPEST6 = 50;
var PatternReader = class {
  #text;
  /** Names that Django's functions have here. */
  #functions = /* @__PURE__ */ new Map();
  #included = /* @__PURE__ */ new Map();
  #patterns = [];
  constructor(root, text, imports) {
    this.#text = text;
    for (const { module: module2, names } of imports)
      if (/^django\.(?:urls|conf\.urls)$/.test(module2)) {
        for (const { imported, local } of names) if (local !== null) this.#functions.set(local, imported);
      }
    if (this.#functions.size > 0) for (const one of root.children) this.#visit(one, null);
  }
  /** In the order of the text. */
  registrations() {
    return this.#patterns.flatMap(({ call: call2, around: around3 }) => {
      const { all: all2, passed, named: named2 } = givenTo(call2, this.#text);
      const [path, view = named2.get("view")] = passed;
      const [, first] = all2;
      const last2 = all2[all2.length - 1];
      if (!path || !first || !last2) return [];
      const { text, isOpen } = pathOf(path, this.#text);
      const full = isOpen ? text : this.#full(around3, text);
      return {
        names: [`ALL ${full}`],
        start: call2.start,
        end: call2.end,
        head: path.end,
        body: [startOf(first), endOf2(last2)],
        handlers: [],
        named: view && isName(view) ? view : null
      };
    });
  }
  #visit(node, around3) {
    const name2 = node.kind === "call" ? this.#function(node) : null;
    if (node.kind === "assignment") this.#assignment(node);
    else if (name2 !== null && PATTERNS.has(name2)) this.#pattern(name2, node, around3);
    else for (const one of node.children) this.#visit(one, around3);
  }
  #assignment(node) {
    for (const { target, value } of assignmentsOf(node).slice(0, 1))
      if (value) this.#visit(value, target.kind === "identifier" ? { list: this.#text.of(target) } : null);
  }
  #pattern(name2, call2, around3) {
    const { passed, named: named2 } = givenTo(call2, this.#text);
    const [path, second] = passed;
    const view = second ?? named2.get("view");
    if (!path || !view || view.kind === "string" && name2 !== "url") return;
    if (view.kind === "call" && this.#function(view) === "include") {
      const { text } = pathOf(path, this.#text);
      this.#include(givenTo(view, this.#text).passed[0], { in: around3, path: text });
    } else if (!MOUNTED.test(this.#text.of(view))) this.#patterns.push({ call: call2, around: around3 });
  }
  /** `include('shop.urls')`, `include(patterns)`, `include((patterns, 'name'))`, `include([path(…)])` */
  #include(node, around3) {
    const given = node && unwrapped(node);
    const list = given?.kind === "tuple" ? given.children[0] : given;
    if (list?.kind === "identifier") {
      const name2 = this.#text.of(list);
      this.#included.set(name2, [...this.#included.get(name2) ?? [], around3]);
    } else if (list) this.#visit(list, around3);
  }
  #function(call2) {
    const path = call2.children[0] ? dottedPath(call2.children[0], this.#text) : null;
    if (path === null) return null;
    const own = this.#functions.get(path);
    if (own !== void 0) return own;
    return this.#functions.has("*") ? lastName(path) : null;
  }
  #full(around3, text) {
    const front = this.#front(around3);
    const path = front === "" ? text : front + text.replace(/^\^/, "");
    return path.startsWith("/") || path.startsWith("^") ? path : `/${path}`;
  }
  #front(around3, depth = 0) {
    if (around3 === null || depth > DEEPEST6) return "";
    if ("path" in around3) {
      const outer = this.#front(around3.in, depth + 1);
      return outer === "" ? around3.path : outer + around3.path.replace(/^\^/, "");
    }
    const [only, ...others] = this.#included.get(around3.list) ?? [];
    return only === void 0 || others.length > 0 ? "" : this.#front(only, depth + 1);
  }
};
var MOUNTED = /^[\w.]+\.urls$/;

// source/languages/python/routes/routes.ts
var NAMED = /\.(?:route|api_route|websocket|get|post|put|patch|delete|head|options|trace|add_url_rule|add_api_route)\s*\(|\bdjango\b/;
function routesOf(sources) {
  const { path, isTest: isTest3, root, text, definitions, scopes, imports } = sources;
  if (isTest3 || isInTestFolder(path) || !NAMED.test(text.text)) return [];
  const found = foundNodes(root, scopes);
  const routers = new Routers({ found, text, imports, definitions: definitions.list });
  const reader = new RegistrationReader(text, routers, definitions);
  const registrations = [
    ...found.decorations.map((one) => reader.ofDecoration(one)),
    ...found.calls.map((one) => reader.ofCall(one)),
    ...new PatternReader(root, text, imports).registrations()
  ];
  return numbered(
    registrations.filter((one) => one !== null),
    text
  );
}
function numbered(registrations, text) {
  const ordinals = /* @__PURE__ */ new Map();
  return [...registrations].sort((a, b) => a.start - b.start).map(({ names, start, end, head, body, handlers, named: named2 }) => ({
    routes: names.map((name2) => {
      const ordinal = (ordinals.get(name2) ?? 0) + 1;
      ordinals.set(name2, ordinal);
      return { name: name2, ordinal };
    }),
    signature: `${text.signature(start, head)})`,
    span: text.span(start, end),
    body: body && text.span(...body),
    handlers: [...handlers],
    named: named2 === null ? [] : [text.span(startOf(named2), endOf2(named2))]
  }));
}

// source/languages/python/subkinds.ts
var ENUMS = /* @__PURE__ */ new Set(["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"]);
var CHOICES = /* @__PURE__ */ new Set(["Choices", "TextChoices", "IntegerChoices"]);
var TYPING = /^(?:typing|typing_extensions|\..*)$/;
var ENUM = /^(?:enum|aenum|strenum|backports\.strenum|\..*)$/;
function tellSubkinds(definitions, imports) {
  const enums = /* @__PURE__ */ new Set();
  for (const one of definitions) {
    if (one.form !== "class") continue;
    one.subkind = subkindOf(one.bases, imports, enums);
    if (one.subkind === "enum" && one.parent === null) enums.add(one.name);
  }
}
function subkindOf(bases, imports, enums) {
  const origins = bases.flatMap(({ name: name2 }) => originOf(name2, imports) ?? []);
  const isFrom = (names, modules) => origins.some(({ module: module2, name: name2 }) => names(name2) && (module2 === null || modules.test(module2)));
  if (isFrom((name2) => name2 === "Protocol", TYPING)) return "protocol";
  if (isFrom((name2) => ENUMS.has(name2), ENUM)) return "enum";
  if (isFrom((name2) => CHOICES.has(name2), /^django\.db\.models$/)) return "enum";
  return bases.some(({ name: name2 }) => enums.has(name2)) ? "enum" : null;
}
function originOf(written, imports) {
  const parts = written.split(".");
  const name2 = parts.pop() ?? "";
  const root = parts[0] ?? name2;
  for (const { module: module2, names } of imports) {
    const bound = names.find(({ local }) => local === root);
    if (bound === void 0) continue;
    if (parts.length === 0) return bound.imported === "*" ? null : { module: module2, name: bound.imported };
    const start = bound.imported === "*" ? root === module2.split(".")[0] ? root : module2 : `${module2}.${bound.imported}`;
    return { module: [start, ...parts.slice(1)].join("."), name: name2 };
  }
  const hasStar = imports.some(({ names }) => names.some(({ local }) => local === null));
  return parts.length === 0 && hasStar ? { module: null, name: name2 } : null;
}

// source/languages/python/test-path.ts
function isTestPath(path) {
  return /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.pyi?$/.test(path);
}

// source/languages/python/tests.ts
function testsOf(path, definitions) {
  const collected = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
  return definitions.flatMap((one, definition) => {
    const suites = suitesOf(one, definitions);
    if (!suites || !isTest(one, suites, definitions, collected)) return [];
    const { name: title, qualname, ordinal, signature: signature2, is_async, span } = one;
    const titles = suites.map((suite) => suite.name);
    return [{ title, definition, suites: titles, qualname, ordinal, signature: signature2, is_async, span, body: span }];
  });
}
function suitesOf(one, definitions) {
  const suites = [];
  for (let at = one.parent; at !== null; ) {
    const outer = definitions[at];
    if (outer?.form !== "class") return null;
    suites.unshift(outer);
    at = outer.parent;
  }
  return suites;
}
function isTest(one, suites, definitions, collected) {
  if (one.form !== "function" && one.form !== "method") return false;
  if (!one.name.startsWith("test") || one.decorators.some((each2) => FIXTURE.test(each2))) return false;
  const suite = suites[suites.length - 1];
  if (suite && isTestCase(suite, definitions)) return true;
  return collected && suites.every((each2) => each2.name.startsWith("Test") && !hasConstructor(each2, definitions));
}
var FIXTURE = /(^|\.)fixture\b/;
function isTestCase(suite, definitions, depth = 0) {
  return suite.bases.some((base) => {
    if (lastName(base.name).endsWith("TestCase")) return true;
    const own = definitions.find((each2) => each2.form === "class" && each2.qualname === base.name);
    return own !== void 0 && own !== suite && depth < 8 && isTestCase(own, definitions, depth + 1);
  });
}
function hasConstructor(suite, definitions) {
  return definitions.some(
    ({ name: name2, parent }) => name2 === "__init__" && parent !== null && definitions[parent] === suite
  );
}

// source/languages/signature-line.ts
var PARTS = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\( ?|,? ?\)/g;
function signatureLine(folded2, hasTuples) {
  const tuples = [];
  return folded2.replace(PARTS, (part, at) => {
    if (part.startsWith("(")) {
      tuples.push(hasTuples && !/[\p{ID_Continue}\]]/u.test(folded2[at - 1] ?? ""));
      return "(";
    }
    if (!part.endsWith(")")) return part;
    return tuples.pop() && part.startsWith(",") ? ",)" : ")";
  });
}

// source/languages/python/text.ts
var SourceText = class {
  constructor(text, comments2) {
    this.text = text;
    this.#comments = new Map(comments2.map((one) => [one.end, one.start]));
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }
  text;
  #starts = [0];
  /** Starts of comments by their end. */
  #comments;
  /** Lines in the file; the empty rest after the last line end is none. */
  get lines() {
    const last2 = this.#starts[this.#starts.length - 1] ?? 0;
    return this.#starts.length - (last2 === this.text.length ? 1 : 0);
  }
  of(node) {
    return this.text.slice(node.start, node.end);
  }
  /** Where the code of a node ends: the grammar counts comments that follow in its last block as part of it. */
  codeEnd(node) {
    let end = node.end;
    for (let start = this.#comments.get(end); start !== void 0; start = this.#comments.get(end))
      end = this.text.slice(node.start, start).trimEnd().length + node.start;
    return end;
  }
  line(offset) {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = low + high >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
  column(offset, line) {
    return offset - (this.#starts[line - 1] ?? 0);
  }
  span(start, end) {
    const start_line = this.line(start);
    const end_line = this.line(Math.max(start, end - 1));
    return {
      start_line,
      start_column: this.column(start, start_line),
      end_line,
      end_column: this.column(end, end_line)
    };
  }
  /** One line of at most `longest` characters: white space folded, joined lines and comments gone. */
  folded(start, end, longest) {
    const slice = this.text.slice(start, Math.min(end, start + longest * 8));
    return (breaks.test(slice) ? fold(slice) : slice).slice(0, longest).trimEnd();
  }
  /** The head of a definition as one line of at most 300 characters. */
  signature(start, end) {
    return signatureLine(this.folded(start, end, SIGNATURE2 * 4), true).slice(0, SIGNATURE2).trimEnd();
  }
};
var SIGNATURE2 = 300;
var breaks = /[\s\\#]{2}|[\n\r\t\f#\\]/;
function fold(text) {
  return text.replace(tokens, (token) => token[0] === "#" || token[0] === "\\" ? " " : token).replace(/\s+/g, " ").trim();
}
var tokens = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|#[^\n]*|\\\r?\n/g;

// source/languages/python/types.ts
function typesOf(root, text, scopes, classes) {
  const reader = new TypeReader(text, scopes, classes);
  for (const one of root.children) reader.visit(one, scopes.module);
  return reader.found;
}
var holders = /* @__PURE__ */ new Set([
  ...compound,
  "decorated_definition",
  "function_definition",
  "class_definition",
  "assignment",
  "with_item"
]);
var TypeReader = class {
  found = [];
  #text;
  #scopes;
  #classes;
  /** `:=` can stand anywhere; without one, only statements need a visit. */
  #walrus;
  /** Annotated parameters of the innermost function, by name. */
  #parameters = /* @__PURE__ */ new Map();
  constructor(text, scopes, classes) {
    this.#text = text;
    this.#scopes = scopes;
    this.#classes = classes;
    this.#walrus = text.text.includes(":=");
  }
  visit(node, outer) {
    const scope = this.#scopes.opened.get(node) ?? outer;
    switch (node.kind) {
      case "function_definition":
        this.#function(node, scope);
        return;
      case "assignment":
        this.#assignment(node, scope);
        return;
      case "named_expression":
        this.#constructed(node.children[0], node.children[1] ?? null, scope);
        break;
      case "with_item":
      case "except_clause":
        this.#as(node, scope);
        break;
    }
    for (const one of node.children) if (this.#walrus || holders.has(one.kind)) this.visit(one, scope);
  }
  #function(node, scope) {
    const outer = this.#parameters;
    const parameters = writtenParameters(child(node, "parameters"));
    for (const one of parameters) this.#parameter(one, scope);
    this.#parameters = new Map(
      parameters.flatMap(
        (one) => one.type && !one.rest ? [[this.#text.of(one.target), this.#text.of(one.type)]] : []
      )
    );
    const body = bodyOf(node);
    if (body) this.visit(body, scope);
    this.#parameters = outer;
  }
  #parameter({ target, type, value, rest }, scope) {
    if (target.kind !== "identifier" || rest) return;
    const name2 = this.#text.of(target);
    if (type) this.#add(name2, this.#text.of(type), "parameter", scope, target);
    else {
      const made = this.#made(value, scope);
      if (made?.source === "constructor") this.#add(name2, made.callee, "default", scope, target);
    }
  }
  #assignment(node, scope) {
    const assignments = assignmentsOf(node);
    for (const { target, type, value: value2 } of assignments) {
      if (type) this.#annotated(target, this.#text.of(type), scope);
      else this.#constructed(target, value2, scope);
    }
    const value = assignments[0]?.value;
    if (value) this.visit(value, scope);
  }
  #annotated(target, type, scope) {
    const name2 = dottedPath(target, this.#text);
    if (name2 === null) return;
    const attribute2 = scope.kind === "class" ? `self.${name2}` : name2;
    this.#add(attribute2, type, "annotation", scope, target);
  }
  #constructed(target, value, scope) {
    const name2 = target && dottedPath(target, this.#text);
    if (!name2 || !value) return;
    const attribute2 = scope.kind === "class" ? `self.${name2}` : name2;
    const made = this.#made(value, scope);
    if (made) this.#add(attribute2, made.callee, made.source, scope, target);
    const plain = unwrapped(value);
    const type = plain.kind === "identifier" ? this.#parameters.get(this.#text.of(plain)) : void 0;
    if (type !== void 0 && name2.includes(".")) this.#add(name2, type, "parameter", scope, target);
  }
  /** `with Database() as db`, and `except Failure as failure`, whose class is what is caught. */
  #as(node, scope) {
    const pattern = child(node, "as_pattern");
    const [value, target] = pattern?.children ?? [];
    const [leaf, ...others] = target?.children ?? [];
    const name2 = leaf && dottedPath(leaf, this.#text);
    if (!value || !leaf || !name2 || others.length > 0) return;
    const made = this.#made(value, scope);
    const caught = node.kind === "except_clause" ? dottedPath(value, this.#text) : null;
    if (made) this.#add(name2, made.callee, made.source, scope, leaf);
    else if (caught !== null) this.#add(name2, caught, "annotation", scope, leaf, node);
  }
  /** The callee of a call, but of Python's own, and whether that makes an instance of it. */
  #made(value, scope) {
    const callee = calleeOf(value, this.#text);
    if (callee === null || !scope.lookup(firstName(callee)) && isBuiltin(callee)) return null;
    const isClass = callee === scope.self || callee === `${scope.self}.__class__` || looksLikeClass(lastName(callee)) || this.#classes.has(callee);
    return { callee, source: isClass ? "constructor" : "return" };
  }
  #add(target, type, source, scope, at, block2) {
    const written = /^(['"])([^'"\\]*)\1$/.exec(type)?.[2] ?? type;
    const root = firstName(type);
    const isCallee = source === "constructor" || source === "default" || source === "return";
    this.found.push({
      target,
      type: written,
      source,
      local: isCallee && root !== scope.self && isLocal(root, scope),
      from: scope.owner,
      block: block2 && this.#text.span(startOf(block2), endOf2(block2)),
      line: this.#text.line(at.start)
    });
  }
};

// source/languages/python/extract.ts
function extractPython(file) {
  const { root, comments: comments2, errors } = readSyntax(file);
  const text = new SourceText(file.text, comments2);
  const listed = publicNames(root, text);
  const definitions = definitionsOf(root, text, listed, file.path.endsWith(".pyi"));
  const scopes = scopesOf(root, text, definitions);
  const { list: imports, redundant } = importsOf(root, text, scopes);
  tellSubkinds(definitions.list, imports);
  const importsAll = imports.some(
    (one) => one.kind === "import" && one.names.some((name2) => name2.local === null)
  );
  const values = new ValueReader(text, definitions, scopes, importsAll);
  const flows = flowsOf(root, text, scopes, values);
  return {
    language: "python",
    docstring: docstringOf(root, text),
    lines: text.lines,
    definitions: [...definitions.list],
    references: referencesOf(root, text, definitions, scopes, values, importsAll),
    imports: [...imports],
    exports: exportsOf(file.path, definitions.list, imports, redundant, listed),
    types: typesOf(root, text, scopes, classNames(definitions.list)),
    flows,
    comments: commentTags(comments2, text, definitions.list),
    tests: testsOf(file.path, definitions.list),
    routes: routesOf({
      path: file.path,
      isTest: isTestPath(file.path),
      root,
      text,
      definitions,
      scopes,
      imports
    }),
    keys: [],
    syntax_errors: [...new Set(errors.map((offset) => text.line(offset)))].slice(0, 20)
  };
}
function classNames(definitions) {
  return new Set(definitions.filter((one) => one.form === "class").map((one) => one.name));
}

// source/languages/python/index.ts
var python = {
  name: "python",
  extensions: [".pyi", ".py"],
  grammar: "tree-sitter-python.wasm",
  version: 17,
  ecosystem: "pypi",
  starsAssign: true,
  isTestPath,
  isPackageFile: (path) => /(?:^|\/)__init__\.pyi?$/.test(path),
  extract: extractPython
};

// source/languages/typescript/docs.ts
function docBefore(text, offset) {
  const end = text.slice(Math.max(0, offset - 4e3), offset).trimEnd();
  if (!end.endsWith("*/")) return null;
  const close2 = offset - (Math.min(4e3, offset) - end.length) - 2;
  const open = text.lastIndexOf("/**", close2 - 1);
  if (open < 0 || open + 3 > close2 || text.slice(open + 3, close2).includes("*/")) return null;
  return docText(text.slice(open + 3, close2));
}
function docOfFile(text) {
  const head = /^(?:#![^\n]*\n)?(?:\s|\/\/[^\n]*\n|\/\*(?!\*(?!\/))[\s\S]*?\*\/)*\/\*\*(?!\/)([\s\S]*?)\*\/([ \t]*\r?\n)?([ \t]*\r?\n)?/.exec(
    text
  );
  const body = head?.[1];
  if (head === null || body === void 0) return null;
  const tagged = /@(module|fileoverview|file|packageDocumentation)\b/.test(body);
  const next = text.slice(head[0].length).trimStart();
  const detached = head[3] !== void 0 || next === "" || /^(import\b|\/\*|\/\/|['"]use )/.test(next);
  return tagged || detached ? docText(body) : null;
}
function behindComments(text, offset) {
  BLANKS.lastIndex = offset;
  BLANKS.test(text);
  return BLANKS.lastIndex;
}
var BLANKS = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*/y;
function docText(body) {
  const lines = body.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const text = lines.join("\n").replace(/^[ \t]+/, "").trim();
  return text === "" ? null : text;
}
function mayHoldTags(text) {
  return TAGS.some((tag) => text.includes(tag)) && /(?:\/\/|\/\*|^)[\s/*!#<-]*@?(?:TODO|FIXME|HACK|XXX)\b/m.test(text);
}
var TAGS = ["TODO", "FIXME", "HACK", "XXX"];
function tagsOf(comment, offset) {
  const found = [];
  const pattern = /^[\s/*!#<-]*@?(TODO|FIXME|HACK|XXX)\b(?:\(([^)\n]*)\))?[:\s-]*([^\n]*)/gm;
  for (const match of comment.matchAll(pattern)) {
    const tag = match[1];
    if (tag !== "TODO" && tag !== "FIXME" && tag !== "HACK" && tag !== "XXX") continue;
    const reference = (match[2] ?? "").trim().slice(0, 200);
    const text = (match[3] ?? "").replace(/\s*(\*\/|-->)?\s*$/, "").slice(0, 200);
    found.push({ tag, text, reference, offset: offset + match.index + match[0].indexOf(tag) });
  }
  return found;
}

// source/languages/typescript/syntax.ts
var NONE = [];
var BRACKETED = /* @__PURE__ */ new Set(["arguments", "formal_parameters", "statement_block", "object", "array"]);
var CLOSING = /* @__PURE__ */ new Set([41, 93, 125]);
var PREDEFINED = /:\s*(?:string|number|boolean|void|unknown|any|never)\s*[,;)={]/y;
function isPlainlyEmpty(type, text, start) {
  if (BRACKETED.has(type)) return CLOSING.has(text.charCodeAt(start + 1));
  if (type === "template_string") {
    const substitution = text.indexOf("${", start);
    const end = text.indexOf("`", start + 1);
    return substitution < 0 || end < substitution && text.charCodeAt(end - 1) !== BACKSLASH;
  }
  if (type !== "type_annotation") return false;
  PREDEFINED.lastIndex = start;
  return PREDEFINED.test(text);
}
var HASH = 35;
var BACKSLASH = 92;
function isPlainNameUnit(unit) {
  return unit >= 97 && unit <= 122 || unit >= 65 && unit <= 90 || unit >= 48 && unit <= 57 || unit === 95 || unit === 36;
}
var SyntaxNode = class _SyntaxNode {
  /** The grammar's name of the node; `ERROR` around what could not be parsed. */
  type;
  /** Offset of the first character in the text. */
  start;
  parent;
  id;
  row;
  column;
  other;
  #source;
  #end = -1;
  #children = null;
  constructor(type, parent, source, id, start, row, column, other) {
    this.type = type;
    this.start = start;
    this.parent = parent;
    this.id = id;
    this.row = row;
    this.column = column;
    this.other = other;
    this.#source = source;
  }
  /** Offset behind the last character. */
  get end() {
    if (this.#end < 0) this.#end = this.#source.nodes.end(this);
    return this.#end;
  }
  /** As written. */
  get text() {
    return this.#source.text.slice(this.start, this.end);
  }
  /** The text of a node that is one name: read off the source, which is cheaper than asking where it ends. */
  get nameText() {
    const { text } = this.#source;
    let end = this.start + (text.charCodeAt(this.start) === HASH ? 1 : 0);
    while (isPlainNameUnit(text.charCodeAt(end))) end += 1;
    const next = text.charCodeAt(end);
    return end === this.start || next === BACKSLASH || next > 127 ? this.text : text.slice(this.start, end);
  }
  /** The named children without comments, in source order. */
  get children() {
    this.#children ??= this.#read();
    return this.#children;
  }
  /** The first child of one of these types; null when there is none. */
  child(...types) {
    for (const one of this.children) if (types.includes(one.type)) return one;
    return null;
  }
  /** The first child; null when there is none. */
  get first() {
    return this.children[0] ?? null;
  }
  /** The last child; null when there is none. */
  get last() {
    return this.children.at(-1) ?? null;
  }
  #read() {
    const source = this.#source;
    if (source.leaves.has(this.type)) return NONE;
    if (isPlainlyEmpty(this.type, source.text, this.start)) return NONE;
    const children = [];
    source.nodes.children(this, (type, id, start, row, column, other) => {
      const name2 = source.types[type] ?? "ERROR";
      if (name2 !== "comment")
        children.push(new _SyntaxNode(name2, this, source, id, start, row, column, other));
    });
    return children;
  }
};
var SyntaxSource = class {
  text;
  /** Node types by the grammar's numbers. */
  types;
  /** Types whose children nobody needs. */
  leaves;
  nodes;
  root;
  #lineStarts = [0];
  #lastLine = 0;
  constructor(text, tree, leaves3) {
    this.text = text;
    this.types = tree.language.types;
    this.leaves = leaves3;
    this.nodes = new TreeNodes(tree);
    this.root = this.nodes.root(
      (type, id, start, row, column, other) => new SyntaxNode(this.types[type] ?? "ERROR", null, this, id, start, row, column, other)
    );
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#lineStarts.push(at + 1);
  }
  /** Lines of the text; what follows the last line end counts when it is not empty. */
  get lineCount() {
    return this.#lineStarts.length - (this.#lineStarts.at(-1) === this.text.length ? 1 : 0);
  }
  /** The line of an offset, from 1. */
  lineOf(offset) {
    return this.#row(offset) + 1;
  }
  /** The column of an offset, from 0, in UTF-16 units. */
  columnOf(offset) {
    return offset - (this.#lineStarts[this.#row(offset)] ?? 0);
  }
  /** The span from one offset to another, the second excluded. */
  span(start, end) {
    return {
      start_line: this.lineOf(start),
      start_column: this.columnOf(start),
      end_line: this.lineOf(end),
      end_column: this.columnOf(end)
    };
  }
  /** Questions come nearly in order: the last answer is looked at first. */
  #row(offset) {
    const starts = this.#lineStarts;
    let low = 0;
    let high = starts.length - 1;
    const last2 = this.#lastLine;
    if ((starts[last2] ?? 0) <= offset) {
      low = last2;
      if (offset < (starts[last2 + 1] ?? Number.POSITIVE_INFINITY)) return last2;
    } else high = last2;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.#lastLine = low;
    return low;
  }
};
var UNFOLDED = /\s\s|[^\S ]|^ | $/;
function folded(text, limit) {
  if (text.length > limit * 2) {
    const head = blanksFolded(text.slice(0, limit * 2));
    if (head.length > limit) return cut2(head, limit);
  }
  const most = limit * 4 + 200;
  const start = text.length > most ? text.slice(0, most) : text;
  const folded2 = blanksFolded(start);
  return folded2.length > limit ? cut2(folded2, limit) : folded2;
}
function blanksFolded(text) {
  return UNFOLDED.test(text) ? text.replace(/\s+/g, " ").trim() : text;
}
function cut2(text, limit) {
  return `${text.slice(0, limit - 1)}\u2026`;
}

// source/languages/typescript/signature.ts
var SIGNATURE3 = 300;
function headOf(source, start, end, prefix = "") {
  const line = folded(prefix + source.text.slice(start, end), SIGNATURE3 * 4);
  return folded(signatureLine(line, false), SIGNATURE3).replace(/[;,]$/, "");
}
function annotationOf(node) {
  const annotation = node.child(
    "type_annotation",
    "type_predicate_annotation",
    "asserts_annotation",
    "adding_type_annotation",
    "omitting_type_annotation",
    "opting_type_annotation"
  );
  return annotation === null ? null : annotation.text.replace(/^[?!+-]*:\s*/, "");
}
function parametersOf(node) {
  return parameterNodes(node).map(parameterOf).filter((one) => one.name !== "this");
}
function parameterNodes(node) {
  const list = node.child("formal_parameters");
  if (list !== null) return list.children.filter((one) => one.type !== "ERROR");
  const single = node.type === "arrow_function" ? node.first : null;
  return single?.type === "identifier" && single !== node.last ? [single] : [];
}
function partsOfParameter(node) {
  if (node.type === "assignment_pattern") return { pattern: node.first ?? node, value: node.last };
  if (node.type !== "required_parameter" && node.type !== "optional_parameter")
    return { pattern: node, value: null };
  const parts = node.children.filter((one) => !NOT_PATTERN.has(one.type));
  return { pattern: parts[0] ?? node, value: parts[1] ?? null };
}
var NOT_PATTERN = /* @__PURE__ */ new Set(["decorator", "accessibility_modifier", "override_modifier", "type_annotation"]);
function parameterOf(node) {
  const { pattern, value } = partsOfParameter(node);
  const rest = pattern.type === "rest_pattern";
  const name2 = rest ? pattern.first ?? pattern : pattern;
  return {
    name: folded(name2.text, 120),
    type: annotationOf(node),
    optional: value !== null || node.type === "optional_parameter",
    rest
  };
}

// source/languages/typescript/define.ts
function define(found, at, parts) {
  const { source } = found;
  const { start, end, head, headPrefix, nameNode } = parts;
  const { block: block2 } = at;
  const headStart = head[0] > start ? behindComments(source.text, head[0]) : head[0];
  const fact = {
    form: parts.form,
    subkind: parts.subkind ?? null,
    name: parts.name,
    qualname: at.path + parts.name,
    ordinal: 1,
    parent: at.definition,
    block: block2 === null ? null : source.span(block2.start, block2.end),
    is_property: parts.is_property ?? false,
    is_component: parts.is_component || void 0,
    own_name: parts.own_name,
    branch: void 0,
    span: source.span(start, end),
    name_line: source.lineOf(nameNode.start),
    signature: headOf(source, headStart, head[1], headPrefix),
    docstring: parts.docstring === void 0 ? docAt(source.text, start, headStart) : parts.docstring,
    decorators: parts.decorators ?? [],
    is_async: parts.is_async ?? false,
    is_generator: parts.is_generator ?? false,
    is_static: parts.is_static ?? false,
    is_abstract: parts.is_abstract ?? false,
    visibility: parts.visibility ?? "public",
    exported: parts.exported ?? false,
    declaration_only: parts.declaration_only ?? at.ambient,
    bases: parts.bases ?? [],
    parameters: parts.parameters ?? [],
    return_type: parts.return_type ?? null,
    type_parameters: parts.type_parameters,
    value_type: parts.value_type ?? null,
    scope: parts.scope ?? null,
    is_constant: parts.is_constant ?? false
  };
  return found.define(fact, start);
}
function docAt(text, start, headStart) {
  return docBefore(text, start) ?? (headStart > start ? docBefore(text, headStart) : null);
}
function statementOf(node) {
  let whole = node;
  for (; ; ) {
    const { parent } = whole;
    if (parent === null || !STATEMENTS.has(parent.type)) return whole;
    whole = parent;
  }
}
function endOf3(source, statement4) {
  const { end } = statement4;
  if (source.text[end - 1] !== ";") return end;
  let inner = statement4;
  while (inner !== null && inner.end === end) inner = inner.last;
  return inner === null || source.lineOf(inner.end) === source.lineOf(end - 1) ? end : inner.end;
}
var STATEMENTS = /* @__PURE__ */ new Set(["export_statement", "ambient_declaration"]);
function isExported(node) {
  for (let one = node.parent; one !== null && STATEMENTS.has(one.type); one = one.parent)
    if (one.type === "export_statement") return true;
  return false;
}
function wordsBefore(source, node, name2) {
  let start = node.start;
  for (const child2 of node.children) if (child2.type === "decorator") start = child2.end;
  if (start >= name2.start) return NO_WORDS;
  const text = source.text.slice(start, name2.start).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
  return new Set(text.match(/[\w$]+|\*/g));
}
var NO_WORDS = /* @__PURE__ */ new Set();
function decoratorTexts2(decorators) {
  return decorators.map((one) => folded(one.text.slice(1), 300));
}
function decoratorsOf(node) {
  const own = node.children.filter((one) => one.type === "decorator");
  const parent = node.parent;
  return parent?.type === "export_statement" ? [...parent.children.filter((one) => one.type === "decorator"), ...own] : own;
}
function isLong(found, value) {
  return found.source.lineOf(value.start) !== found.source.lineOf(value.end) || value.end - value.start > 120;
}

// source/languages/typescript/literals.ts
function stringOf(node) {
  if (!node) return null;
  if (node.type === "string") return node.text.slice(1, -1);
  if (node.type === "template_string" && node.child("template_substitution") === null)
    return node.text.slice(1, -1);
  return null;
}
function keyOf(node) {
  if (node === null) return null;
  if (node.type === "string") return node.text.slice(1, -1);
  if (node.type === "computed_property_name") return stringOf(node.first);
  return KEYS4.has(node.type) ? node.text : null;
}
var KEYS4 = /* @__PURE__ */ new Set([
  "property_identifier",
  "private_property_identifier",
  "number",
  "identifier",
  "type_identifier"
]);
function unwrapped2(node) {
  let inner = node;
  for (; ; ) {
    if (!WRAPPERS.has(inner.type)) return inner;
    const next = inner.type === "type_assertion" ? inner.last : inner.first;
    if (next === null) return inner;
    inner = next;
  }
}
function calleeOf2(call2) {
  const { first } = call2;
  return first !== null && isMisread(call2) ? first.first : first;
}
function isMisread(call2) {
  const type = call2.first?.type;
  return type === "await_expression" || type === "unary_expression";
}
var WRAPPERS = /* @__PURE__ */ new Set([
  "parenthesized_expression",
  "as_expression",
  "satisfies_expression",
  "non_null_expression",
  "type_assertion"
]);
function isFunction(node) {
  return node.type === "arrow_function" || node.type === "function_expression" || node.type === "generator_function";
}

// source/languages/typescript/contexts.ts
function contextOf(node, value) {
  const { parent } = node;
  if (parent === null) return null;
  switch (parent.type) {
    case "parenthesized_expression":
      return contextOf(parent, value);
    case "ternary_expression":
      return parent.first === node ? null : contextOf(parent, value);
    case "binary_expression":
      return contextOf(parent, value);
    case "arguments":
      return asArgument(node, parent, value);
    case "pair":
      return asMember(parent, value);
    case "array":
      return item(contextOf(parent, value), parent.children.indexOf(node));
    case "as_expression":
    case "satisfies_expression":
      return parent.last === node || parent.last === null ? null : { typed: parent.last.text };
    case "variable_declarator":
    case "public_field_definition":
    case "field_definition":
    case "required_parameter":
    case "optional_parameter":
      return annotated(parent);
    case "assignment_expression":
      return parent.last === node && parent.first ? value(parent.first) : null;
    case "return_statement":
      return asResult(enclosingFunction(parent), value);
    case "arrow_function":
      return parent.last === node ? asResult(parent, value) : null;
    case "object":
      return node.type === "method_definition" ? asMember(node, value) : null;
    default:
      return null;
  }
}
function annotated(node) {
  const type = annotationOf(node);
  return type === null ? null : { typed: type };
}
function asArgument(node, list, value) {
  const call2 = list.parent;
  const argument = list.children.indexOf(node);
  const callee = call2 && calleeOf2(call2);
  if (callee === null || argument < 0) return null;
  if (list.children.slice(0, argument).some((one) => one.type === "spread_element")) return null;
  const expected = value(callee);
  return expected === null ? null : { expected, argument };
}
function asMember(member, value) {
  const name2 = keyOf(member.child("property_identifier", "string"));
  const literal = member.parent;
  if (name2 === null || literal === null) return null;
  const of2 = contextOf(literal, value);
  return of2 === null ? null : { of: of2, member: name2 };
}
function item(of2, index) {
  return of2 === null ? null : { of: of2, key: { literal: index } };
}
function asResult(node, value) {
  if (node === null) return null;
  const isAsync = /^(?:\w+\s+)*async\b/.test(node.text.slice(0, 60));
  const own = annotated(node);
  const context = own === null ? contextOf(node, value) : null;
  const given = own ?? (context && { call: context });
  return given && isAsync ? { await: given } : given;
}
function enclosingFunction(node) {
  let one = node.parent;
  while (one !== null && !FUNCTIONS.has(one.type)) one = one.parent;
  return one;
}
var FUNCTIONS = /* @__PURE__ */ new Set([
  "function_declaration",
  "generator_function_declaration",
  "function_expression",
  "generator_function",
  "arrow_function",
  "method_definition"
]);

// source/languages/typescript/patterns.ts
function namesOf(pattern, at, found, key = null, way = []) {
  switch (pattern.type) {
    case "identifier":
      return [{ node: pattern, name: pattern.text, key, way }];
    case "shorthand_property_identifier_pattern":
      return [{ node: pattern, name: pattern.text, key: pattern.text, way: way && [...way, pattern.text] }];
    case "assignment_pattern":
    case "object_assignment_pattern": {
      const [target, value] = pattern.children;
      if (value) found.visit(value, at);
      return target ? namesOf(target, at, found, key, way) : [];
    }
    case "pair_pattern": {
      const [name2, target] = pattern.children;
      if (name2?.type === "computed_property_name") found.visit(name2, at);
      const plain = name2?.type === "property_identifier" ? name2.text : null;
      return target ? namesOf(target, at, found, plain, way && plain !== null ? [...way, plain] : null) : [];
    }
    case "array_pattern":
      return pattern.children.flatMap(
        (child2, index) => namesOf(child2, at, found, null, way && !hasHole(pattern) ? [...way, index] : null)
      );
    case "object_pattern":
      return pattern.children.flatMap((child2) => namesOf(child2, at, found, null, way));
    case "rest_pattern":
      return pattern.children.flatMap((child2) => namesOf(child2, at, found, null, null));
    default:
      return [];
  }
}
function hasHole(pattern) {
  return /(?:^\[|,)\s*,/.test(pattern.text.slice(0, 200));
}

// source/languages/typescript/imports.ts
var UNBOUND = [{ imported: "*", local: null }];
var statement = (node, at, found) => {
  const required = node.child("import_require_clause");
  const type_only = /^import\s+type\s(?!\s*from\b)/.test(node.text.slice(0, 40));
  if (required !== null) {
    const [local, source] = [required.first, required.last];
    const module3 = stringOf(source);
    if (local !== null && module3 !== null)
      found.import(
        { module: module3, kind: "require", type_only, names: [{ imported: "*", local: local.text }] },
        node,
        at
      );
    return;
  }
  const module2 = stringOf(node.child("string"));
  if (module2 === null) return found.visitChildren(node, at);
  const clause = node.child("import_clause");
  const names = clause === null ? [...UNBOUND] : clause.children.flatMap(namesOfClause);
  const inline = clause !== null && clause.child("named_imports") !== null && clause.children.length === 1;
  const allTypes = inline && names.length > 0 && specifiersOf(clause).every((one) => one.text.startsWith("type "));
  found.import({ module: module2, kind: "import", type_only: type_only || allTypes, names }, node, at);
};
function specifiersOf(clause) {
  return clause.child("named_imports")?.children ?? [];
}
function namesOfClause(part) {
  if (part.type === "identifier") return [{ imported: "default", local: part.text }];
  if (part.type === "namespace_import") return [{ imported: "*", local: part.first?.text ?? null }];
  return part.children.filter((one) => one.type === "import_specifier").map((one) => {
    const [name2, local] = [one.first?.text ?? "", one.last?.text ?? ""];
    return { imported: stringOf(one.first) ?? name2, local };
  });
}
var alias = (node, at, found) => {
  const [name2, target] = [node.first, node.last];
  if (name2 === null || target === null || name2 === target) return;
  at.scope.declare(name2.text, true);
  found.use("read", target, target, at);
};
function importedBy(node) {
  if (node.type !== "call_expression") return null;
  const { first, last: last2 } = node;
  const isImport = first?.type === "import";
  if (!isImport && (first?.type !== "identifier" || first.end - first.start !== 7 || first.text !== "require"))
    return null;
  const module2 = last2?.type === "arguments" ? stringOf(last2.first) : null;
  return module2 === null ? null : { module: module2, kind: isImport ? "dynamic" : "require" };
}
function bindDynamic(node, at, found) {
  const imported = importedBy(node);
  if (imported !== null)
    found.import({ ...imported, type_only: isInType(node), names: [...UNBOUND] }, node, at);
}
function isInType(node) {
  let one = node.parent;
  while (one?.type === "member_expression") one = one.parent;
  return one !== null && TYPE_PARENT.test(one.type);
}
var TYPE_PARENT = /_type$|^(type_annotation|type_arguments|type_alias_declaration|type_query|default_type|constraint|nested_type_identifier)$/;
function bindRequired(target, given, at, found) {
  let value = unwrapped2(given);
  let member = null;
  if (value.type === "member_expression" && value.first !== null && value.last !== null) {
    member = value.last.text;
    value = unwrapped2(value.first);
  }
  if (value.type === "await_expression" && value.first !== null) value = unwrapped2(value.first);
  else if (value.first?.type === "import") return false;
  const imported = importedBy(value);
  if (imported === null) return false;
  const bound = namesOf(target, at, found);
  const names = bound.map(({ name: name2, key }) => ({
    imported: member ?? (target.type === "identifier" ? "*" : key ?? "*"),
    local: name2
  }));
  found.import(
    { ...imported, type_only: false, names: names.length === 0 ? [...UNBOUND] : names },
    value,
    at
  );
  return true;
}
var importVisitors = /* @__PURE__ */ new Map([
  ["import_statement", statement],
  ["import_alias", alias]
]);

// source/languages/typescript/components.ts
function isComponentName(name2) {
  return /^(?:[^a-z_$]|default$)/.test(name2);
}
function isComponentFunction(name2, node, found) {
  return isComponentName(name2) && mayMakeElements(found) && givesElements(node, found);
}
function isComponentValue(name2, value, at, found) {
  return isComponentName(name2) && isMadeComponent(value, at, found);
}
function isMadeComponent(value, at, found) {
  if (value.type !== "call_expression") return false;
  const given = argumentsOf(value);
  const [first] = given;
  if (calleeOf2(value)?.text === "Object.assign")
    return first !== void 0 && (isMadeComponent(first, at, found) || isGiven(first, found));
  const wrapper = calledName(value, at, found);
  if (isWrapper(value, at, found) || wrapper !== null && MAKERS.has(wrapper)) return true;
  return isOfMaker(value, at, found) || given.some((one) => isFunction(one) && isGiven(one, found));
}
function isGiven(node, found) {
  if (isFunction(node)) return mayMakeElements(found) && givesElements(node, found);
  if (node.type !== "identifier") return false;
  const name2 = node.nameText;
  return found.definitions.some(({ fact }) => fact.name === name2 && fact.is_component && !fact.is_property);
}
function isOfMaker(call2, at, found) {
  const root = /^[\w$]+/.exec(calleeOf2(call2)?.text.slice(0, 100) ?? "")?.[0];
  if (root === void 0 || at.scope.lookup(root) !== "import") return false;
  return found.imports.some(({ fact }) => MAKER_PACKAGES.test(fact.module) && isMaker(fact, root));
}
function isMaker({ names }, root) {
  return names.some(
    ({ imported, local }) => local === root && (imported === "default" || imported === "styled")
  );
}
var MAKER_PACKAGES = /^(?:styled-components|@emotion\/styled|@linaria\/react|goober|next\/dynamic|@loadable\/component)$/;
function wrappedComponent(value, at, found) {
  let held = unwrapped2(value);
  for (let depth = 0; depth < 8; depth += 1) {
    if (held.type !== "call_expression" || !isWrapper(held, at, found)) return null;
    const inner = argumentsOf(held)[0];
    if (inner === void 0) return null;
    if (isFunction(inner) || inner.type === "identifier") return inner;
    held = inner;
  }
  return null;
}
var WRAPPERS2 = /* @__PURE__ */ new Set([
  "memo",
  "forwardRef",
  "observer",
  "defineComponent",
  "withRouter",
  "withTheme"
]);
var WRAPPER_MAKERS = /* @__PURE__ */ new Set([
  "connect",
  "inject",
  "reduxForm",
  "withStyles",
  "withTranslation"
]);
var MAKERS = /* @__PURE__ */ new Set(["lazy", "defineAsyncComponent", "createReactClass"]);
function isWrapper(call2, at, found) {
  const callee = calleeOf2(call2);
  if (callee?.type === "call_expression") return WRAPPER_MAKERS.has(calledName(callee, at, found) ?? "");
  return WRAPPERS2.has(calledName(call2, at, found) ?? "");
}
function calledName(call2, at, found) {
  const callee = calleeOf2(call2);
  if (callee?.type === "identifier") {
    const name2 = callee.nameText;
    return importOf(name2, at, found);
  }
  if (callee?.type !== "member_expression" || callee.first?.type !== "identifier") return null;
  const isLibrary = callee.first.nameText === "React" || importOf(callee.first.nameText, at, found) !== null;
  return isLibrary ? callee.last?.text ?? null : null;
}
function importOf(local, at, found) {
  if (at.scope.lookup(local) !== "import") return null;
  for (const { fact } of found.imports)
    for (const name2 of fact.names)
      if (name2.local === local && !fact.module.startsWith(".")) return name2.imported;
  return null;
}
function isComponentClass(name2, node, at, found) {
  if (!isComponentName(name2)) return false;
  const heritage = node.child("class_heritage");
  const clause = heritage?.child("extends_clause") ?? heritage;
  const base = clause?.first ?? null;
  if (base === null || base.type === "implements_clause") return false;
  return isLibraryBase(base, at, found) || mayMakeElements(found) && rendersElements(node, found);
}
function isLibraryBase(base, at, found) {
  const [root = "", member] = base.text.replace(/\s+/g, "").split(".");
  if (!BASES.has(member ?? root) && !BASES.has(importOf(root, at, found) ?? "")) return false;
  if (member !== void 0 && root === "React") return true;
  return found.imports.some(
    ({ fact }) => LIBRARIES.test(fact.module) && fact.names.some(({ local }) => local === root)
  );
}
var BASES = /* @__PURE__ */ new Set(["Component", "PureComponent"]);
var LIBRARIES = /^(?:react|preact|inferno|nervjs|@tarojs\/taro)(?:\/|$)/;
function rendersElements(node, found) {
  const render = node.child("class_body")?.children.find(
    (one) => one.type === "method_definition" && one.child("property_identifier")?.text === "render"
  );
  return render !== void 0 && givesElements(render, found);
}
function mayMakeElements({ source }) {
  const known = making.get(source);
  if (known !== void 0) return known;
  const may = MAKING.test(source.text);
  making.set(source, may);
  return may;
}
var making = /* @__PURE__ */ new WeakMap();
var MAKING = /\/>|<\/|createElement/;
function givesElements(node, found) {
  const body = node.last;
  if (body === null) return false;
  const elements = /* @__PURE__ */ new Set();
  if (body.type !== "statement_block") return isElement(body, elements, found);
  const returned2 = [];
  const open = [...body.children].reverse();
  for (let one = open.pop(); one !== void 0; one = open.pop()) {
    if (one.type === "return_statement") {
      if (one.first !== null) returned2.push(one.first);
    } else if (one.type === "variable_declarator" || one.type === "assignment_expression") {
      const { first, last: last2 } = one;
      if (first?.type === "identifier" && last2 !== null && isElement(last2, elements, found))
        elements.add(first.text);
    } else if (STATEMENTS2.test(one.type)) for (const child2 of [...one.children].reverse()) open.push(child2);
  }
  return returned2.some((one) => isElement(one, elements, found));
}
var STATEMENTS2 = /^(?:statement_block|.*_statement|.*_clause|(?:lexical|variable)_declaration|switch_body|switch_(?:case|default))$/;
function isElement(node, elements, found, depth = 0) {
  if (depth > 40) return false;
  const inner = (one) => one !== null && one !== void 0 && isElement(one, elements, found, depth + 1);
  const { first, last: last2 } = node;
  switch (node.type) {
    case "jsx_element":
    case "jsx_self_closing_element":
    case "jsx_fragment":
      return true;
    case "identifier":
      return elements.has(node.nameText);
    case "parenthesized_expression":
    case "as_expression":
    case "satisfies_expression":
    case "non_null_expression":
      return inner(first);
    case "ternary_expression":
      return node.children.slice(1).some(inner);
    case "binary_expression":
      return inner(last2) || inner(first);
    case "sequence_expression":
      return inner(last2);
    case "array":
      return node.children.some(inner);
    case "call_expression":
      return makesElements(node, inner, found);
    default:
      return false;
  }
}
function makesElements(call2, inner, found) {
  const name2 = /(?:^|\.)([\w$]+)$/.exec(calleeOf2(call2)?.text.slice(-40) ?? "")?.[1] ?? "";
  if (name2 === "createElement") return !/\bdocument\b/.test(calleeOf2(call2)?.text ?? "");
  const [given] = argumentsOf(call2);
  if (name2 === "createPortal" || name2 === "cloneElement") return inner(given);
  if (name2 !== "map" && name2 !== "flatMap") return false;
  return given !== void 0 && isFunction(given) && givesElements(given, found);
}
function argumentsOf(call2) {
  const list = call2.last;
  return list?.type === "arguments" ? list.children.map(unwrapped2) : [];
}

// source/languages/typescript/scopes.ts
var Scope2 = class {
  parent;
  /** Whether `var` belongs here: modules, namespaces and functions. */
  holdsVar;
  /** Whether names declared here can be reached from outside by a qualified name. */
  isModule;
  #names = null;
  #needed = null;
  constructor(parent, kind) {
    this.parent = parent;
    this.holdsVar = kind !== "block";
    this.isModule = kind === "module";
  }
  /** Binds a name; the strongest binding stays when one name is bound twice (an import and a type of it). */
  bind(name2, binding) {
    this.#names ??= /* @__PURE__ */ new Map();
    if (binding !== "local" || !this.#names.has(name2)) this.#names.set(name2, binding);
  }
  /** Binds a variable, function or class declared here, as what it is at this place. */
  declare(name2, isDefinition) {
    this.bind(name2, this.isModule ? "module" : isDefinition ? "definition" : "local");
  }
  /** What a name means here; null when nothing in the file binds it. */
  lookup(name2) {
    for (let scope = this; scope !== null; scope = scope.parent) {
      const binding = scope.#names?.get(name2);
      if (binding !== void 0) return binding;
    }
    return null;
  }
  /** The scope that binds a name; null when nothing in the file does. */
  binding(name2) {
    for (let scope = this; scope !== null; scope = scope.parent)
      if (scope.#names?.has(name2)) return scope;
    return null;
  }
  /** Says that somebody asks for the type of a name that is bound right here. */
  need(name2) {
    this.#needed ??= /* @__PURE__ */ new Set();
    this.#needed.add(name2);
  }
  /** Whether {@link need} was said of a name. */
  isNeeded(name2) {
    return this.#needed?.has(name2) ?? false;
  }
  /** The scope that a `var` declared here belongs to. */
  get varScope() {
    let scope = this;
    while (!scope.holdsVar && scope.parent) scope = scope.parent;
    return scope;
  }
};
function knowing(outer, own) {
  if (own === "") return outer;
  const scope = new Scope2(outer, "block");
  scope.bind(own, "definition");
  return scope;
}

// source/languages/typescript/place.ts
function place(definition, path, scope, block2, functionBlock, suites, ambient2, owner) {
  return { definition, path, scope, block: block2, functionBlock, suites, ambient: ambient2, owner };
}
function topOfFile() {
  return place(null, "", new Scope2(null, "module"), null, null, [], false, null);
}
function inside(at, definition, name2, scope) {
  return place(definition, `${at.path}${name2}.`, scope, null, null, at.suites, at.ambient, null);
}
function insideUnnamed(at, body, scope) {
  return place(at.definition, at.path, scope, body, body, at.suites, at.ambient, null);
}
function insideBlock(at, block2) {
  return insideScope(at, new Scope2(at.scope, "block"), block2);
}
function insideScope(at, scope, block2) {
  return place(at.definition, at.path, scope, block2, at.functionBlock, at.suites, at.ambient, at.owner);
}
function partOf(at, definition) {
  return under(at, at.path, definition);
}
function under(at, path, definition = at.definition) {
  return place(definition, path, at.scope, at.block, at.functionBlock, at.suites, at.ambient, at.owner);
}
function ownedBy(at, node) {
  const owner = at.functionBlock === null ? node : null;
  return place(at.definition, at.path, at.scope, at.block, at.functionBlock, at.suites, at.ambient, owner);
}
function insideSuite(at, title) {
  const suites = [...at.suites, title];
  return place(at.definition, at.path, at.scope, at.block, at.functionBlock, suites, at.ambient, at.owner);
}
function insideAmbient(at) {
  return place(at.definition, at.path, at.scope, at.block, at.functionBlock, at.suites, true, at.owner);
}

// source/languages/typescript/functions.ts
function bodyOf2(node) {
  const { last: last2 } = node;
  if (last2 === null) return null;
  return node.type === "arrow_function" || last2.type === "statement_block" ? last2 : null;
}
function defineFunction(node, named2, at, found, more = {}) {
  const body = bodyOf2(node);
  const anchor = node.child("formal_parameters", "identifier") ?? node;
  const words = wordsBefore(found.source, node, anchor);
  const own = VALUES.has(node.type) ? node.child("identifier")?.text ?? "" : "";
  const definition = define(found, at, {
    form: named2.form,
    name: named2.name,
    nameNode: named2.nameNode,
    start: named2.start,
    end: named2.end,
    head: [named2.head, body === null ? named2.end : body.start],
    is_async: words.has("async"),
    is_generator: node.type.startsWith("generator_") || words.has("*"),
    declaration_only: body === null || at.ambient,
    parameters: parametersOf(node),
    return_type: annotationOf(node),
    type_parameters: typeParametersOf(node),
    own_name: own === "" ? void 0 : own,
    is_component: named2.form === "function" && body !== null && isComponentFunction(named2.name, node, found),
    ...more
  });
  found.defined.set(node, definition);
  walkFunction(
    node,
    inside(at, definition, named2.name, new Scope2(knowing(at.scope, own), "function")),
    found
  );
}
var VALUES = /* @__PURE__ */ new Set(["function_expression", "generator_function"]);
function walkFunction(node, at, found) {
  const within = ownedBy(at, node);
  const body = bodyOf2(node);
  const single = node.type === "arrow_function" ? node.first : null;
  for (const child2 of node.children) {
    if (child2 === body) {
      if (child2.type === "statement_block") found.visitChildren(child2, within);
      else {
        returned(child2, within, found);
        found.visit(child2, within);
      }
    } else if (child2.type === "formal_parameters")
      child2.children.forEach((parameter, index) => {
        walkParameter(parameter, body === null ? null : { node, index }, within, found);
      });
    else if (child2.type === "type_parameters") bindTypeParameters(child2, within, found);
    else if (child2 === single && child2.type === "identifier") {
      at.scope.bind(child2.text, "local");
      flowTo(child2.text, { function: node, parameter: 0 }, child2, within, found);
    } else if (!NAMES.has(child2.type)) found.visit(child2, within);
  }
}
var NAMES = /* @__PURE__ */ new Set([
  "identifier",
  "property_identifier",
  "private_property_identifier",
  "string",
  "number",
  "accessibility_modifier",
  "override_modifier",
  "decorator"
]);
function walkParameter(node, of2, at, found) {
  const { pattern, value } = partsOfParameter(node);
  const type = annotationOf(node);
  const names = namesOf(pattern, at, found);
  for (const { name: name2 } of names) at.scope.bind(name2, "local");
  const plain = of2 !== null && pattern.type === "identifier" ? names[0]?.name : void 0;
  if (plain !== void 0 && type !== null) found.type(plain, type, "parameter", node, at);
  else if (of2 !== null) {
    const { index } = of2;
    const given = type !== null ? { typed: type } : value !== null ? { node: value } : { function: of2.node, parameter: index };
    for (const { name: name2, way } of names) flowTo(name2, way && takenFrom(given, way), node, at, found);
  }
  for (const child2 of node.children)
    if (child2.type === "type_annotation" || child2.type === "decorator") found.visit(child2, at);
  if (value !== null) found.visit(value, at);
}
var declaration = (node, at, found) => {
  const nameNode = node.child("identifier");
  if (nameNode === null) return visitFunctionValue(node, at, found);
  const name2 = nameNode.text;
  const whole = statementOf(node);
  at.scope.declare(name2, true);
  defineFunction(
    node,
    { form: "function", name: name2, nameNode, start: whole.start, end: whole.end, head: node.start },
    at,
    found,
    { exported: isExported(node) }
  );
};
var visitFunctionValue = (node, at, found) => {
  if (found.defined.has(node)) return;
  const scope = new Scope2(at.scope, "function");
  const own = node.type === "arrow_function" ? null : node.child("identifier");
  if (own !== null && own.text !== "") {
    scope.bind(own.text, "definition");
    const named2 = { form: "function", name: own.text, nameNode: own };
    const place2 = insideScope(at, scope, node);
    return defineFunction(
      node,
      { ...named2, start: node.start, end: node.end, head: node.start },
      place2,
      found
    );
  }
  walkFunction(node, insideUnnamed(at, bodyOf2(node) ?? node, scope), found);
};
var functionVisitors = /* @__PURE__ */ new Map([
  ["function_declaration", declaration],
  ["generator_function_declaration", declaration],
  ["function_signature", declaration],
  ["arrow_function", visitFunctionValue],
  ["function_expression", visitFunctionValue],
  ["generator_function", visitFunctionValue]
]);

// source/languages/typescript/types.ts
function typeOfValue(node) {
  let value = node;
  while (value.type === "await_expression" || value.type === "parenthesized_expression") {
    if (value.first === null) return null;
    value = value.first;
  }
  if (value.type === "non_null_expression" || value.type === "satisfies_expression") value = unwrapped2(value);
  if (value.type === "as_expression") {
    const { last: last2 } = value;
    return last2 === null || value.children.length < 2 ? null : { type: folded(last2.text, 300), source: "annotation" };
  }
  const callee = value.first;
  if (callee === null) return null;
  if (value.type === "new_expression" && isPath(callee)) return { type: callee.text, source: "constructor" };
  if (value.type === "call_expression" && isPath(callee))
    return { type: folded(callee.text, 300), source: "return" };
  return null;
}
function isPath(node) {
  let one = node;
  while (one?.type === "member_expression" || one?.type === "non_null_expression") one = one.first;
  return one?.type === "identifier" || one?.type === "this" || one?.type === "super";
}
function typeParametersOf(node) {
  const list = node.child("type_parameters");
  return list === null ? void 0 : folded(list.text.slice(1, -1), LONGEST);
}
var LONGEST = 6e3;
function typeText(node) {
  const text = folded(node.text, LONGEST);
  return text.endsWith("\u2026") ? null : text;
}
function bindTypeParameters(list, at, found) {
  for (const parameter of list.children) {
    const name2 = parameter.child("type_identifier");
    if (name2 !== null) at.scope.bind(name2.text, "local");
  }
  for (const parameter of list.children)
    for (const child2 of parameter.children) if (child2.type !== "type_identifier") found.visit(child2, at);
}
var alias2 = (node, at, found) => {
  const nameNode = node.first;
  if (nameNode === null) return;
  const name2 = nameNode.text;
  const whole = statementOf(node);
  at.scope.declare(name2, true);
  const definition = define(found, at, {
    form: "type",
    name: name2,
    nameNode,
    start: whole.start,
    end: endOf3(found.source, whole),
    head: [node.start, node.end],
    exported: isExported(node),
    declaration_only: false,
    type_parameters: typeParametersOf(node),
    value_type: node.last === null || node.last === nameNode ? null : typeText(node.last)
  });
  const within = inside(at, definition, name2, new Scope2(at.scope, "block"));
  for (const child2 of node.children)
    if (child2.type === "type_parameters") bindTypeParameters(child2, within, found);
    else if (child2 !== nameNode) found.visit(child2, within);
};
var name = (node, at, found) => found.use("type", node, node, at);
var nestedName = (node, at, found) => found.use("type", node, node, at);
var query = (node, at, found) => {
  for (const child2 of node.children)
    if (child2.type === "identifier" || child2.type === "member_expression")
      found.use("type", child2, child2, at);
    else found.visit(child2, at);
};
var signature = (node, at, found) => {
  if (node.type === "call_signature" && node.parent?.type === "interface_body") {
    const text = typeText(node);
    if (text !== null) found.type("()", text, "annotation", node, at);
  }
  walkFunction(node, insideUnnamed(at, node, new Scope2(at.scope, "function")), found);
};
var bindsFirst = (node, at, found) => {
  const own = node.child("type_identifier");
  if (own !== null) at.scope.bind(own.text, "local");
  for (const child2 of node.children) if (child2 !== own) found.visit(child2, at);
};
var predicate = (node, at, found) => {
  for (const child2 of node.children) if (child2.type !== "identifier") found.visit(child2, at);
};
var indexSignature = (node, at, found) => {
  for (const child2 of node.children) if (child2.type !== "identifier") found.visit(child2, at);
};
var property = (node, at, found) => {
  for (const child2 of node.children) if (child2.type !== "property_identifier") found.visit(child2, at);
};
var element = (node, at, found) => {
  for (const child2 of node.children) if (child2.type === "type_annotation") found.visit(child2, at);
};
var typeVisitors = /* @__PURE__ */ new Map([
  ["type_alias_declaration", alias2],
  ["type_identifier", name],
  ["nested_type_identifier", nestedName],
  ["type_query", query],
  ["function_type", signature],
  ["constructor_type", signature],
  ["call_signature", signature],
  ["construct_signature", signature],
  ["method_signature", signature],
  ["mapped_type_clause", bindsFirst],
  ["infer_type", bindsFirst],
  ["type_predicate", predicate],
  ["asserts", predicate],
  ["index_signature", indexSignature],
  ["property_signature", property],
  ["required_parameter", element],
  ["optional_parameter", element]
]);

// source/languages/typescript/values.ts
var MOST_LINKS = 24;
var MOST_PARTS = 1e3;
function valueFact(node, scope, values, viaReferences = false, links = 0) {
  if (node.type === "identifier" || node.type === "shorthand_property_identifier")
    return node.nameText === "undefined" ? { literal: null } : named(node.nameText, scope);
  return links > MOST_LINKS ? null : followed2(node, scope, values, viaReferences, links);
}
function followed2(node, scope, values, viaReferences, links) {
  const inner = (one) => one ? valueFact(one, scope, values, viaReferences, links + 1) : null;
  const { first, last: last2 } = node;
  switch (node.type) {
    case "this":
    case "super":
      return node.type;
    case "parenthesized_expression":
    case "non_null_expression":
    case "satisfies_expression":
      return inner(first);
    case "as_expression":
    case "type_assertion":
      return asserted(node, inner);
    case "member_expression":
      return memberOf(inner(first), last2?.text);
    case "subscript_expression":
      return itemOf2(inner(first), last2);
    case "await_expression":
      return wrapped(inner(first), (value) => ({ await: value }));
    case "call_expression":
    case "new_expression": {
      const loaded = importedBy(node);
      if (loaded !== null) return { module: loaded.module };
      if (node.first?.type === "unary_expression") return { literal: null };
      const index = viaReferences ? values.numbers.calls.get(node) : void 0;
      const value = index === void 0 ? called(node, inner) : { result: index };
      return isAwaited(node) ? wrapped(value, (one) => ({ await: one })) : value;
    }
    case "ternary_expression":
      return either2(node.children.slice(1).map(inner));
    case "binary_expression":
      return operated(node, inner, values);
    case "assignment_expression":
    case "augmented_assignment_expression":
    case "sequence_expression":
      return inner(last2);
    case "array":
      return node.children.length > MOST_PARTS ? null : listOf(node.children.map(inner));
    case "object":
      return dictOf(node, inner, values);
    default:
      return EMPTY.has(node.type) ? { literal: null } : definitionOf(node, values);
  }
}
function contextValue(node, parameter, scope, values) {
  const of2 = contextOf(node, (one) => valueFact(one, scope, values, false, 1));
  return of2 === null ? null : { of: of2, parameter };
}
function named(name2, scope) {
  const home = scope.binding(name2);
  if (home && !home.isModule) home.need(name2);
  return name2;
}
function wrapped(value, wrap) {
  return value === null ? null : wrap(value);
}
function memberOf(of2, member) {
  if (of2 === null || member === void 0) return null;
  return typeof of2 === "string" ? `${of2}.${member}` : { of: of2, member };
}
function itemOf2(of2, key) {
  if (of2 === null || key === null) return null;
  const name2 = stringOf(key);
  if (name2 !== null) return memberOf(of2, name2);
  return { of: of2, key: key.type === "number" ? { literal: Number(key.text) } : null };
}
function asserted(node, inner) {
  const isPrefix = node.type === "type_assertion";
  const type = isPrefix ? node.first : node.last;
  if (type === null || !isPrefix && node.children.length < 2) return inner(node.first);
  const text = typeText(isPrefix ? type.first ?? type : type);
  return text === null ? null : { typed: text };
}
function called(node, inner) {
  const call2 = inner(calleeOf2(node));
  if (call2 === null) return null;
  const list = node.child("type_arguments");
  const types = list === null ? null : list.text.slice(1, -1);
  const passed = passedTo(node, inner);
  return {
    call: call2,
    ...types !== null && types.length <= 300 && { types },
    ...(passed.length > 0 || countOf(node) === 0) && { passed }
  };
}
function isAwaited(call2) {
  return isMisread(call2) && call2.first?.type === "await_expression" && call2.parent?.type !== "member_expression";
}
function countOf(node) {
  const list = node.last;
  return list?.type === "arguments" ? list.children.length : node.type === "new_expression" ? 0 : -1;
}
function passedTo(node, inner) {
  const list = node.child("arguments");
  if (list === null || list.children.length > 4) return [];
  const passed = list.children.map((one) => PASSED.has(one.type) ? inner(one) : null);
  while (passed.at(-1) === null) passed.pop();
  return passed;
}
var PASSED = /* @__PURE__ */ new Set(["identifier", "member_expression", "new_expression", "this"]);
function either2(values) {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.length === 1 && values.length === 1 ? known[0] ?? null : { either: values };
}
function operated(node, inner, { found }) {
  const { first, last: last2 } = node;
  if (first === null || last2 === null || first === last2) return null;
  const operator = found.source.text.slice(first.end, last2.start).replace(/\/\*[\s\S]*?\*\/|\/\/.*|\s/g, "");
  if (operator === "&&") return inner(last2);
  if (operator !== "||" && operator !== "??") return null;
  const given = [first, last2].filter((one) => !EMPTY.has(one.type)).map(inner);
  return either2(given);
}
var EMPTY = /* @__PURE__ */ new Set([
  "regex",
  "null",
  "undefined",
  "string",
  "number",
  "true",
  "false",
  "template_string"
]);
function listOf(list) {
  return list.some((value) => value !== null) ? { list } : null;
}
function dictOf(node, inner, values) {
  if (node.children.length > MOST_PARTS) return null;
  const dict = [];
  for (const member of node.children) {
    const isShort = member.type === "shorthand_property_identifier";
    if (member.type === "spread_element") dict.push([null, inner(member.first)]);
    else {
      const key = isShort ? member.text : keyOf(member.child(...KEYS5));
      const value = isShort ? inner(member) : member.type === "pair" ? inner(member.last) : definitionOf(member, values);
      if (key !== null && value !== null) dict.push([{ literal: key }, value]);
    }
  }
  return dict.length > 0 ? { dict } : null;
}
var KEYS5 = ["property_identifier", "private_property_identifier", "string", "number"];
function definitionOf(node, { found, numbers }) {
  const held = isFunction(node) ? node : unwrapped2(node);
  const definition = found.defined.get(held);
  const number = definition === void 0 ? void 0 : numbers.definitions[definition];
  return number === void 0 ? null : { definition: number };
}

// source/languages/typescript/flows.ts
function takenFrom(given, way) {
  return way.reduce((of2, key) => ({ of: of2, key }), given);
}
function flowTo(target, given, node, place2, found) {
  const isAssignment = node.type.endsWith("assignment_expression");
  const isPlain = given !== null && "node" in given && EMPTY.has(given.node.type);
  if (isPlain && (target.includes(".") || place2.scope.isModule && place2.block === null)) return;
  found.flows.push({ kind: void 0, target, given, isAssignment, node, place: place2 });
}
function returned(node, place2, found) {
  const { owner } = place2;
  if (owner === null || place2.functionBlock !== null || annotationOf(owner) !== null) return;
  found.flows.push({ kind: "return", target: "", given: { node }, isAssignment: false, node, place: place2 });
}
function neededFlows(found, numbers) {
  const declared = declarations(found);
  const values = { found, numbers };
  const kept = [];
  let open = found.flows;
  for (; ; ) {
    const rest = [];
    for (const flow of open) {
      if (isNeeded(flow)) kept.push({ flow, fact: factOf(flow, declared, values) });
      else rest.push(flow);
    }
    if (rest.length === open.length) break;
    open = rest;
  }
  return kept.sort((a, b) => a.flow.node.start - b.flow.node.start).map(({ fact }) => fact);
}
function isNeeded({ kind, target, place: place2 }) {
  if (kind === "return" || target.includes(".")) return true;
  const scope = place2.scope.binding(target);
  return scope !== null && (scope.isModule || scope.isNeeded(target));
}
function declarations(found) {
  const declared = /* @__PURE__ */ new Map();
  for (const flow of found.flows) {
    if (flow.isAssignment || flow.kind || flow.target.includes(".")) continue;
    const scope = flow.place.scope.binding(flow.target);
    if (scope === null) continue;
    const names = declared.get(scope) ?? /* @__PURE__ */ new Map();
    if (!names.has(flow.target)) declared.set(scope, names.set(flow.target, flow));
  }
  return declared;
}
function factOf(flow, declared, values) {
  const { kind, target, given, node, place: place2, isAssignment } = flow;
  const { source } = values.found;
  const number = (definition) => definition === null ? null : values.numbers.definitions[definition] ?? null;
  const scope = kind || target.includes(".") ? null : place2.scope.binding(target);
  const home = isAssignment && scope ? declared.get(scope)?.get(target) : void 0;
  const from = number(place2.definition);
  const owner = scope?.isModule && isAssignment ? null : home ? number(home.place.definition) : from;
  const { block: block2 } = home?.place ?? place2;
  const isField = kind !== void 0 || target.includes(".") || (scope?.isModule ?? false);
  return {
    kind,
    target,
    keys: void 0,
    value: given && valueOfGiven(given, place2.scope, values),
    from,
    scope: owner === from ? void 0 : owner,
    block: block2 === null || isField ? void 0 : source.span(block2.start, block2.end),
    narrows: void 0,
    branch: void 0,
    loop: void 0,
    line: source.lineOf(node.start),
    column: source.columnOf(node.start)
  };
}
function valueOfGiven(given, scope, values) {
  if ("typed" in given) return { typed: given.typed };
  if ("node" in given) return valueFact(given.node, scope, values);
  if ("function" in given) return contextValue(given.function, given.parameter, scope, values);
  if ("item" in given) {
    const of3 = valueFact(given.item, scope, values);
    return of3 === null ? null : { of: of3, key: null };
  }
  const of2 = valueOfGiven(given.of, scope, values);
  if (of2 === null) return null;
  if (typeof given.key === "number") return { of: of2, key: { literal: given.key } };
  return typeof of2 === "string" ? `${of2}.${given.key}` : { of: of2, member: given.key };
}

// source/languages/typescript/objects.ts
var object = (node, at, found) => {
  if (found.defined.has(node)) return;
  for (const member of node.children) {
    const key = member.first;
    if (member.type === "method_definition") defineMember(member, member, at, found);
    else if (member.type === "pair" && member.last !== null && key !== null && member.last !== key) {
      const value = unwrapped2(member.last);
      const name2 = keyOf(key);
      if (name2 !== null && isFunction(value)) defineMember(member, value, at, found);
      else {
        if (key.type === "computed_property_name") found.visit(key, at);
        visitObjectAs(member.last, name2 === null ? at : under(at, `${at.path}${name2}.`), found, at);
      }
    } else found.visit(member, at);
  }
};
function visitObjectAs(value, at, found, otherwise = at) {
  const held = unwrapped2(value);
  if (held.type !== "object") {
    found.visit(value, otherwise);
    return;
  }
  object(held, at, found);
  for (let one = value; one !== held; ) {
    const inner = one.type === "type_assertion" ? one.last : one.first;
    for (const child2 of one.children) if (child2 !== inner) found.visit(child2, otherwise);
    if (inner === null) break;
    one = inner;
  }
}
function defineMember(member, value, at, found, form = "function") {
  const key = member.child(
    "property_identifier",
    "private_property_identifier",
    "string",
    "number",
    "computed_property_name"
  );
  if (key === null) {
    found.visitChildren(member, at);
    return;
  }
  if (key.type === "computed_property_name") found.visit(key, at);
  const words = wordsBefore(found.source, member, key);
  const method = member === value ? { is_async: words.has("async"), is_generator: words.has("*") } : {};
  const more = { ...method, is_property: form === "function" };
  const named2 = { form, name: keyOf(key) ?? key.text, nameNode: key };
  const span = { start: member.start, end: member.end, head: member.start };
  defineFunction(value, { ...named2, ...span }, at, found, more);
}
var objectVisitors = /* @__PURE__ */ new Map([["object", object]]);

// source/languages/typescript/members.ts
function walkMembers(body, at, found) {
  let decorators = [];
  for (const member of body.children) {
    if (member.type === "decorator") {
      decorators.push(member);
      continue;
    }
    const own = [...decorators, ...member.children.filter((one) => one.type === "decorator")];
    decorators = [];
    if (METHODS.has(member.type)) defineMethod(member, own, at, found);
    else if (FIELDS.has(member.type)) defineField(member, own, at, found);
    else if (member.type === "class_static_block") {
      const block2 = bodyOf2(member) ?? member;
      found.visitChildren(block2, insideUnnamed(at, block2, new Scope2(at.scope, "function")));
    } else found.visit(member, at);
  }
}
var METHODS = /* @__PURE__ */ new Set(["method_definition", "method_signature", "abstract_method_signature"]);
var FIELDS = /* @__PURE__ */ new Set(["public_field_definition", "field_definition", "property_signature"]);
var NAMES2 = [
  "property_identifier",
  "private_property_identifier",
  "string",
  "number",
  "computed_property_name"
];
function modifiersOf(node, name2, words) {
  const written = node.child("accessibility_modifier")?.text;
  const hidden = written === "private" || name2.startsWith("#");
  return {
    is_static: words.has("static"),
    visibility: hidden ? "private" : written === "protected" ? "protected" : "public"
  };
}
function memberName(node, at, found) {
  const nameNode = node.child(...NAMES2);
  if (nameNode === null) {
    found.visitChildren(node, at);
    return null;
  }
  if (nameNode.type === "computed_property_name") found.visit(nameNode, at);
  const name2 = keyOf(nameNode) ?? folded(nameNode.text, 120);
  return { nameNode, name: name2, words: wordsBefore(found.source, node, nameNode) };
}
function defineMethod(node, decorators, at, found) {
  const named2 = memberName(node, at, found);
  if (named2 === null) return;
  const { nameNode, name: name2, words } = named2;
  const definition = found.definitions.length;
  defineFunction(
    node,
    {
      form: "method",
      name: name2,
      nameNode,
      start: decorators[0]?.start ?? node.start,
      end: node.end,
      head: headAfter(node)
    },
    at,
    found,
    {
      ...modifiersOf(node, name2, words),
      is_async: words.has("async"),
      is_generator: words.has("*"),
      is_abstract: node.type === "abstract_method_signature" || words.has("abstract"),
      decorators: decoratorTexts2(decorators)
    }
  );
  for (const decorator2 of decorators) found.visit(decorator2, partOf(at, definition));
  if (name2 === "constructor") defineParameterProperties(node, at, found);
}
function headAfter(node) {
  return node.children.findLast((one) => one.type === "decorator")?.end ?? node.start;
}
function defineParameterProperties(node, at, found) {
  for (const parameter of parameterNodes(node)) {
    const { pattern, value } = partsOfParameter(parameter);
    const words = wordsBefore(found.source, parameter, pattern);
    const isField = parameter.child("accessibility_modifier", "override_modifier") !== null || words.has("readonly");
    if (!isField || pattern.type !== "identifier") continue;
    const name2 = pattern.text;
    define(found, at, {
      form: "variable",
      name: name2,
      nameNode: pattern,
      start: parameter.start,
      end: parameter.end,
      head: [parameter.start, parameter.end],
      ...modifiersOf(parameter, name2, words),
      docstring: null,
      value_type: annotationOf(parameter) ?? constructed(value),
      scope: "class",
      is_constant: words.has("readonly")
    });
  }
}
function constructed(value) {
  const told2 = value === null ? null : typeOfValue(value);
  return told2 === null || told2.source === "return" ? null : told2.type;
}
function defineField(node, decorators, at, found) {
  const named2 = memberName(node, at, found);
  if (named2 === null) return;
  const { nameNode, name: name2, words } = named2;
  const { last: last2 } = node;
  const value = last2 === nameNode || last2 === null || last2.type === "type_annotation" ? null : last2;
  const place2 = { start: decorators[0]?.start ?? node.start, end: node.end };
  const definition = found.definitions.length;
  const held = value === null ? null : unwrapped2(value);
  const shared3 = { ...modifiersOf(node, name2, words), decorators: decoratorTexts2(decorators) };
  if (held !== null && isFunction(held)) {
    const named3 = { form: "method", name: name2, nameNode, ...place2, head: headAfter(node) };
    defineFunction(held, named3, at, found, shared3);
    found.visitMaybe(node.child("type_annotation"), partOf(at, definition));
  } else {
    const type = node.child("type_annotation");
    define(found, at, {
      form: "variable",
      name: name2,
      nameNode,
      ...place2,
      head: [headAfter(node), value === null || isLong(found, value) ? (type ?? nameNode).end : node.end],
      ...shared3,
      is_abstract: words.has("abstract"),
      declaration_only: at.ambient || node.type === "property_signature" || words.has("declare"),
      value_type: annotationOf(node) ?? constructed(value),
      scope: "class",
      is_constant: words.has("readonly")
    });
    const within = inside(at, definition, name2, at.scope);
    found.visitMaybe(type, within);
    if (value !== null) {
      if (annotationOf(node) === null) flowTo(`this.${name2}`, { node: value }, node, at, found);
      visitObjectAs(value, within, found);
    }
  }
  for (const decorator2 of decorators) found.visit(decorator2, partOf(at, definition));
}

// source/languages/typescript/classes.ts
function defineClass(node, named2, at, found) {
  const body = node.child("class_body", "interface_body", "object_type");
  const subkind = node.type === "interface_declaration" ? "interface" : null;
  const own = node.type === "class" ? node.child("type_identifier", "identifier")?.text ?? "" : "";
  const definition = define(found, at, {
    form: "class",
    subkind,
    name: named2.name,
    nameNode: named2.nameNode,
    start: named2.start,
    end: named2.end,
    head: [named2.head, body?.start ?? node.end],
    docstring: docOf(named2, found),
    decorators: decoratorTexts2(named2.decorators),
    is_abstract: node.type === "abstract_class_declaration",
    exported: named2.exported,
    declaration_only: at.ambient && subkind === null,
    bases: basesOf2(node, found),
    type_parameters: typeParametersOf(node),
    own_name: own === "" ? void 0 : own,
    is_component: subkind === null && isComponentClass(named2.name, node, at, found)
  });
  found.defined.set(node, definition);
  const within = inside(at, definition, named2.name, new Scope2(knowing(at.scope, own), "block"));
  for (const decorator2 of named2.decorators) found.visit(decorator2, within);
  walkClass(node, within, found);
}
function docOf({ start, decorators }, found) {
  const { text } = found.source;
  const last2 = decorators.at(-1);
  return docBefore(text, start) ?? (last2 === void 0 ? null : docBefore(text, behindComments(text, last2.end)));
}
function walkClass(node, at, found) {
  for (const child2 of node.children)
    if (child2.type === "type_parameters") bindTypeParameters(child2, at, found);
    else if (child2.type === "class_heritage" || child2.type === "extends_type_clause")
      visitHeritage(child2, at, found);
    else if (BODIES.has(child2.type)) walkMembers(child2, at, found);
}
var BODIES = /* @__PURE__ */ new Set(["class_body", "interface_body", "object_type"]);
function basesOf2(node, found) {
  const bases = [];
  const add2 = (base, relation, list = base.child("type_arguments")) => {
    const name2 = base.type === "generic_type" ? base.first ?? base : base;
    const type_arguments = list === null ? void 0 : folded(list.text.slice(1, -1), 500);
    const line = found.source.lineOf(base.start);
    bases.push({ name: folded(name2.text, 120), relation, type_arguments, line });
  };
  const clauses = (node.child("class_heritage") ?? node).children;
  for (const clause of clauses) {
    if (clause.type === "implements_clause") for (const base of clause.children) add2(base, "implements");
    else if (clause.type === "extends_clause" || clause.type === "extends_type_clause")
      clause.children.forEach((base, index) => {
        const next = clause.children[index + 1];
        const list = next?.type === "type_arguments" ? next : void 0;
        if (base.type !== "type_arguments") add2(base, "extends", list);
      });
  }
  const heritage = node.child("class_heritage");
  if (heritage?.first && !heritage.first.type.endsWith("_clause")) add2(heritage.first, "extends");
  return bases;
}
function visitHeritage(node, at, found) {
  for (const child2 of node.children) {
    if (child2.type === "extends_clause" || child2.type === "implements_clause")
      visitHeritage(child2, at, found);
    else if (child2.type === "identifier" || child2.type === "member_expression")
      found.use("type", child2, child2, at);
    else found.visit(child2, at);
  }
}
var declaration2 = (node, at, found) => {
  const nameNode = node.child("type_identifier", "identifier");
  if (nameNode === null) return visitUnnamed(node, at, found);
  const whole = statementOf(node);
  at.scope.declare(nameNode.text, true);
  const decorators = decoratorsOf(node);
  const head = node.children.filter((one) => one.type === "decorator").at(-1)?.end ?? node.start;
  defineClass(
    node,
    {
      name: nameNode.text,
      nameNode,
      start: whole.start,
      end: whole.end,
      head,
      exported: isExported(node),
      decorators
    },
    at,
    found
  );
};
var visitUnnamed = (node, at, found) => {
  const nameNode = node.child("type_identifier", "identifier");
  if (nameNode === null) return walkClass(node, insideBlock(at, node), found);
  const within = insideBlock(at, node);
  within.scope.bind(nameNode.text, "definition");
  const span = { start: node.start, end: node.end, head: node.start };
  defineClass(
    node,
    { name: nameNode.text, nameNode, ...span, exported: false, decorators: decoratorsOf(node) },
    within,
    found
  );
};
var classVisitors = /* @__PURE__ */ new Map([
  ["class_declaration", declaration2],
  ["abstract_class_declaration", declaration2],
  ["interface_declaration", declaration2],
  ["class", visitUnnamed]
]);

// source/languages/typescript/options.ts
function optionsOf(value) {
  if (value.type !== "call_expression") return null;
  const callee = calleeOf2(value)?.text ?? "";
  if (!MAKERS2.test(callee)) return null;
  const given = value.last?.type === "arguments" ? value.last.first : null;
  const held = given === null ? null : unwrapped2(given);
  return held?.type === "object" ? held : null;
}
var MAKERS2 = /^(?:(?:Vue\.)?defineComponent|defineNuxtComponent|Vue\.extend)$/;
function nameOption(options2) {
  const name2 = stringOf(optionValue(options2, "name"));
  return name2 === null || name2 === "" ? null : name2;
}
function registered(options2) {
  const found = /* @__PURE__ */ new Map();
  const list = optionValue(options2, "components");
  for (const member of list?.type === "object" ? list.children : []) {
    if (member.type === "shorthand_property_identifier") found.set(member.text, member.text);
    const key = member.type === "pair" ? keyOf(member.first) : null;
    const value = member.last === null ? null : unwrapped2(member.last);
    if (key !== null && value?.type === "identifier") found.set(key, value.text);
  }
  return found;
}
function defineOptions(options2, named2, at, found) {
  const { name: name2, head, ...rest } = named2;
  const definition = define(found, at, {
    form: "class",
    ...rest,
    name: name2,
    head: [head, options2.start],
    bases: basesOf3(options2, found),
    is_component: true
  });
  found.defined.set(options2, definition);
  const within = inside(at, definition, name2, new Scope2(at.scope, "block"));
  for (const member of options2.children) walkOption(member, within, found);
  return definition;
}
function walkOption(member, at, found) {
  const key = member.first;
  const name2 = keyOf(key);
  if (member.type === "method_definition") {
    defineMember(member, member, at, found, "method");
    if (name2 === "data") defineFields(givenBy(member), at, found);
    return;
  }
  const { last: last2 } = member;
  if (member.type !== "pair" || name2 === null || last2 === null || last2 === key) {
    found.visit(member, at);
    return;
  }
  const value = unwrapped2(last2);
  if (isFunction(value)) {
    defineMember(member, value, at, found, "method");
    if (name2 === "data") defineFields(givenBy(value), at, found);
    return;
  }
  if (MEMBERS.has(name2) && value.type === "object") {
    for (const one of value.children) walkMember(one, name2, at, found);
    return;
  }
  if (name2 === "props") defineFields(value, at, found);
  visitObjectAs(last2, under(at, `${at.path}${name2}.`), found, at);
}
var MEMBERS = /* @__PURE__ */ new Set(["methods", "computed"]);
function walkMember(member, group, at, found) {
  const value = member.type === "pair" && member.last !== null ? unwrapped2(member.last) : null;
  const name2 = keyOf(member.first);
  if (member.type === "method_definition") defineMember(member, member, at, found, "method");
  else if (value !== null && isFunction(value)) defineMember(member, value, at, found, "method");
  else if (value !== null && name2 !== null) {
    defineField2(member, at, found);
    visitObjectAs(value, under(at, `${at.path}${group}.${name2}.`), found, at);
  } else found.visit(member, at);
}
function defineFields(value, at, found) {
  if (value?.type === "array") for (const one of value.children) defineField2(one, at, found);
  else if (value?.type === "object") for (const member of value.children) defineField2(member, at, found);
}
function defineField2(member, at, found) {
  const key = member.type === "pair" || member.type === "method_definition" ? member.first : member;
  const name2 = member.type === "spread_element" ? null : stringOf(key) ?? keyOf(key) ?? shorthandOf(member);
  if (key === null || name2 === null || name2 === "") return;
  const { start, end } = member;
  const head = [start, key.end];
  define(found, at, {
    form: "variable",
    name: name2,
    nameNode: key,
    start,
    end,
    head,
    docstring: null,
    scope: "class"
  });
}
function shorthandOf(member) {
  return member.type === "shorthand_property_identifier" ? member.text : null;
}
function givenBy(node) {
  const body = node.last;
  if (body === null) return null;
  const given = body.type === "statement_block" ? body.children.find(({ type }) => type === "return_statement")?.first : body;
  const held = given ? unwrapped2(given) : null;
  return held?.type === "object" ? held : null;
}
function basesOf3(options2, found) {
  const value = optionValue(options2, "extends");
  if (value?.type !== "identifier") return [];
  return [{ name: value.text, relation: "extends", line: found.source.lineOf(value.start) }];
}
function optionValue(options2, key) {
  const pair = options2.children.find((one) => one.type === "pair" && keyOf(one.first) === key);
  return pair?.last ? unwrapped2(pair.last) : null;
}

// source/languages/typescript/exports.ts
var statement2 = (node, at, found) => {
  const source = node.child("string");
  const written = found.source.text.slice(node.start, node.start + 60);
  const module2 = stringOf(source);
  const clause = node.child("export_clause", "namespace_export");
  if (module2 !== null && source === node.last) return reexport(node, clause, module2, written, at, found);
  if (clause !== null) return exportList(clause, at, found);
  const { last: last2 } = node;
  if (last2 === null) return;
  if (/^export\s*=/.test(written)) return exportValue(last2, "default", at, found);
  if (/^export\s+as\s+namespace\b/.test(written)) return;
  const head = node.children.filter((one) => one.type === "decorator").at(-1)?.end ?? node.start;
  if (/^\s*export\s+default\b/.test(found.source.text.slice(head, head + 60)))
    return exportDefault(node, last2, at, found);
  if (isTop(at)) for (const name2 of declaredBy(last2)) found.export(name2.text, name2.text, null, name2);
  for (const child2 of node.children) if (child2.type !== "decorator") found.visit(child2, at);
};
function isTop(at) {
  return at.definition === null && at.scope.parent === null;
}
function reexport(node, clause, module2, written, at, found) {
  const type_only = /^export\s+type\b/.test(written);
  const names = [];
  if (clause?.type === "export_clause")
    for (const one of clause.children) {
      if (one.type !== "export_specifier" || one.first === null || one.last === null) continue;
      const imported = nameIn(one.first);
      names.push({ imported, local: null });
      found.export(nameIn(one.last), imported, module2, one);
    }
  else {
    names.push(...UNBOUND);
    found.export(clause?.first ? nameIn(clause.first) : "*", clause === null ? null : "*", module2, node);
  }
  found.import({ module: module2, kind: "reexport", type_only, names }, node, at);
}
function nameIn(node) {
  return stringOf(node) ?? node.text;
}
function exportList(clause, at, found) {
  for (const one of clause.children)
    if (one.type === "export_specifier" && one.first !== null && one.last !== null && isTop(at))
      found.export(nameIn(one.last), nameIn(one.first), null, one);
}
function exportDefault(node, value, at, found) {
  const named2 = value.child("identifier", "type_identifier");
  const held = unwrapped2(value);
  const isDeclaration = value.type.endsWith("_declaration") || value.type === "function_signature";
  if (isDeclaration && named2 !== null) {
    if (isTop(at)) found.export("default", named2.text, null, named2);
    found.visit(value, at);
    return;
  }
  if (defineDefault(held, node, at, found)) return;
  const options2 = isTop(at) ? optionsOf(held) : null;
  if (options2 !== null) {
    const { start, end } = node;
    const name2 = nameOption(options2) ?? "default";
    const named3 = { name: name2, nameNode: node, start, end, head: start, exported: true, is_property: true };
    const definition2 = defineOptions(options2, named3, at, found);
    found.export("default", null, null, node, definition2);
    found.visit(value, partOf(at, definition2));
    return;
  }
  const wrapped2 = wrappedComponent(held, at, found);
  if (wrapped2 === null || !isTop(at)) {
    exportValue(value, "default", at, found);
    return;
  }
  const definition = found.definitions.length;
  if (!defineDefault(wrapped2, node, at, found, { is_component: true }))
    found.export("default", wrapped2.text, null, node);
  found.visit(value, found.definitions.length > definition ? partOf(at, definition) : at);
}
function defineDefault(held, node, at, found, more = {}) {
  const isClass = held.type === "class" || held.type === "class_declaration";
  if (!isClass && !isFunction(held) && !FUNCTIONS2.has(held.type)) return false;
  const own = held.type === "arrow_function" ? null : held.child("identifier", "type_identifier");
  const name2 = own?.text ?? "default";
  if (isTop(at)) found.export("default", name2, null, node);
  if (own !== null) at.scope.declare(name2, true);
  const named2 = { name: name2, nameNode: own ?? node, start: node.start, end: node.end, head: held.start };
  if (isClass) defineClass(held, { ...named2, exported: true, decorators: decoratorsOf(held) }, at, found);
  else defineFunction(held, { form: "function", ...named2 }, at, found, { exported: true, ...more });
  return true;
}
var FUNCTIONS2 = /* @__PURE__ */ new Set(["function_declaration", "generator_function_declaration"]);
function exportValue(value, name2, at, found) {
  const held = unwrapped2(value);
  const local = held.type === "identifier" ? held.text : null;
  if (isTop(at)) found.export(name2, local, null, value);
  if (local !== null) return;
  if (isTop(at)) flowTo(`exports.${name2}`, { node: value }, value, at, found);
  found.visit(value, at);
}
function declaredBy(node) {
  if (node.type === "ambient_declaration") return node.last === null ? [] : declaredBy(node.last);
  if (node.type === "lexical_declaration" || node.type === "variable_declaration")
    return node.children.flatMap((one) => one.first === null ? [] : leavesOf(one.first));
  const name2 = node.child("identifier", "type_identifier", "nested_identifier");
  if (name2?.type === "nested_identifier") {
    let root = name2;
    while (root.first !== null) root = root.first;
    return [root];
  }
  return name2 === null ? [] : [name2];
}
function leavesOf(pattern) {
  if (pattern.type === "identifier" || pattern.type === "shorthand_property_identifier_pattern")
    return [pattern];
  if (pattern.type === "pair_pattern") return pattern.last === null ? [] : leavesOf(pattern.last);
  if (pattern.type === "assignment_pattern" || pattern.type === "object_assignment_pattern")
    return pattern.first === null ? [] : leavesOf(pattern.first);
  return PATTERNS2.has(pattern.type) ? pattern.children.flatMap(leavesOf) : [];
}
var PATTERNS2 = /* @__PURE__ */ new Set(["object_pattern", "array_pattern", "rest_pattern"]);
var exportVisitors = /* @__PURE__ */ new Map([["export_statement", statement2]]);

// source/languages/typescript/commonjs.ts
function visitCommonJsExport(node, target, value, at, found) {
  if (target.type !== "member_expression" || target.first === null || target.last === null) return false;
  if (target.first.type === "member_expression" || target.first.type === "identifier") {
    const path = target.text.replace(/\s+/g, "");
    if (path === "module.exports") return exportModule(node, value, at, found);
    const exported = /^(?:module\.)?exports\.([\p{ID_Continue}$]+)$/u.exec(path)?.[1];
    if (exported !== void 0) return exportNamed(exported, node, target.last, value, at, found);
    const owner = /^([\p{ID_Continue}$]+)\.prototype\.[\p{ID_Continue}$]+$/u.exec(path)?.[1];
    if (owner !== void 0) return defineOnPrototype(owner, node, target.last, value, at, found);
  }
  return false;
}
function chainedValue(value) {
  const held = unwrapped2(value);
  const isExports = held.type === "assignment_expression" && /^(?:module\.)?exports\s*=/.test(held.text.slice(0, 40));
  return isExports ? held.last : null;
}
function exportModule(node, value, at, found) {
  const chained = chainedValue(value);
  if (chained !== null) return exportModule(node, chained, at, found);
  const held = unwrapped2(value);
  const required = importedBy(held);
  if (required !== null) {
    found.export("*", null, required.module, value);
    found.export("default", "*", required.module, value);
  }
  if (held.type === "object") {
    found.export("default", null, null, value);
    for (const member of held.children) {
      const name2 = member.type === "shorthand_property_identifier" ? member.text : keyOf(member.first);
      if (name2 === null || member.type === "spread_element") continue;
      const given = member.type === "pair" && member.last !== null ? unwrapped2(member.last) : null;
      const local = given === null ? name2 : given.type === "identifier" ? given.text : isFunction(given) ? name2 : null;
      found.export(name2, local, null, member);
    }
    if (at.definition === null) flowTo("exports.default", { node: value }, value, at, found);
    visitObjectAs(value, at, found);
  } else if (required !== null) found.visit(value, at);
  else if (!defineDefault(held, node, at, found)) exportValue(value, "default", at, found);
  return true;
}
function exportNamed(name2, node, nameNode, value, at, found) {
  const held = unwrapped2(value);
  const span = { start: node.start, end: node.end, head: node.start };
  const required = importedBy(held);
  if (required !== null) {
    found.export(name2, "*", required.module, nameNode);
    found.visit(value, at);
  } else if (isFunction(held)) {
    found.export(name2, name2, null, nameNode);
    defineFunction(held, { form: "function", name: name2, nameNode, ...span }, at, found, { exported: true });
  } else if (held.type === "class") {
    found.export(name2, name2, null, nameNode);
    defineClass(held, { name: name2, nameNode, ...span, exported: true, decorators: [] }, at, found);
  } else if (held.type === "identifier" || at.definition !== null || at.scope.parent !== null)
    exportValue(value, name2, at, found);
  else {
    found.export(name2, name2, null, nameNode);
    const definition = define(found, at, {
      form: "variable",
      name: name2,
      nameNode,
      ...span,
      head: [node.start, nameNode.end],
      exported: true,
      scope: "module"
    });
    visitObjectAs(value, inside(at, definition, name2, at.scope), found);
  }
  return true;
}
function defineOnPrototype(owner, node, nameNode, value, at, found) {
  const held = unwrapped2(value);
  if (!isFunction(held)) return false;
  const parent = found.definitions.findIndex(({ fact }) => fact.qualname === at.path + owner);
  const name2 = nameNode.text;
  const place2 = under(at, `${at.path}${owner}.`, parent < 0 ? at.definition : parent);
  const span = { start: node.start, end: node.end, head: node.start };
  defineFunction(held, { form: "method", name: name2, nameNode, ...span }, place2, found, { is_property: true });
  return true;
}

// source/languages/typescript/receivers.ts
var PLAIN = /^[\w$]+(?:\.#?[\w$]+)+$/;
function memberOf2(node) {
  const { text } = node;
  if (PLAIN.test(text)) {
    const dot = text.lastIndexOf(".");
    const path = text.slice(0, dot);
    const first2 = path.slice(0, path.indexOf(".") < 0 ? dot : path.indexOf("."));
    const form = first2 === "this" || first2 === "super" ? first2 : "path";
    const receiver = { text: cut3(path), form, root: form === "path" ? first2 : null };
    return { name: text.slice(dot + 1), offset: node.start + dot + 1, receiver, inner: null };
  }
  if (node.type === "super")
    return { name: "constructor", offset: node.start, receiver: receiverOf2(node), inner: null };
  const { first, last: last2 } = node;
  const inner = first ?? node;
  const name2 = last2 ?? node;
  return {
    name: stringOf(name2) ?? name2.text,
    offset: name2.start,
    receiver: receiverOf2(inner),
    inner: inner === node ? null : inner
  };
}
var LITERALS = new Set(
  "string template_string number regex array object true false null undefined arrow_function function_expression class".split(
    " "
  )
);
function receiverOf2(node) {
  const path = [];
  let one = node;
  for (; ; ) {
    if (one.type === "member_expression" && one.first !== null && one.last !== null) {
      path.unshift(one.last.text);
      one = one.first;
    } else if (one.type === "nested_identifier" && one.first !== null && one.last !== null) {
      path.unshift(one.last.text);
      one = one.first;
    } else if (one.type === "non_null_expression" && one.first !== null) one = one.first;
    else break;
  }
  if (one.type === "identifier" || one.type === "this" || one.type === "super") {
    const root = one.text;
    path.unshift(root);
    const form = one.type === "identifier" ? "path" : one.type;
    return { text: cut3(path.join(".")), form, root: form === "path" ? root : null };
  }
  const text = cut3(withoutSpace(node.text.slice(0, 1e3)));
  return { text, form: formOf2(one), root: rootOf(one), node };
}
function formOf2(node) {
  if (LITERALS.has(node.type)) return "literal";
  let one = node;
  while (one.type === "parenthesized_expression" || one.type === "await_expression") {
    if (one.first === null) break;
    one = one.first;
  }
  return one.type === "call_expression" || one.type === "new_expression" ? "call" : "other";
}
function rootOf(node) {
  let one = node;
  for (let links = 0; links < 100 && one !== null && LEFTMOST.has(one.type); links += 1) one = one.first;
  return one?.type === "identifier" ? one.text : null;
}
var LEFTMOST = /* @__PURE__ */ new Set([
  "member_expression",
  "subscript_expression",
  "call_expression",
  "new_expression",
  "non_null_expression",
  "parenthesized_expression",
  "await_expression",
  "as_expression",
  "satisfies_expression"
]);
function withoutSpace(text) {
  return folded(text, 1e3).replace(/(?<![\w$]) | (?![\w$])/g, "");
}
function cut3(text) {
  return text.length > 120 ? `${text.slice(0, 119)}\u2026` : text;
}

// source/languages/typescript/names.ts
function visitValue(kind, node, at, found) {
  if (USED.has(node.type)) found.use(kind, node, node, at);
  else if (node.type === "non_null_expression" && node.first !== null)
    visitValue(kind, node.first, at, found);
  else found.visit(node, at);
}
var USED = /* @__PURE__ */ new Set(["identifier", "shorthand_property_identifier_pattern", "member_expression"]);
function visitTarget(node, at, found) {
  switch (node.type) {
    case "object_pattern":
    case "array_pattern":
    case "rest_pattern":
      for (const child2 of node.children) visitTarget(child2, at, found);
      return;
    case "pair_pattern":
      if (node.last !== null) visitTarget(node.last, at, found);
      return;
    case "assignment_pattern":
    case "object_assignment_pattern":
      if (node.first !== null) visitTarget(node.first, at, found);
      if (node.last !== null && node.last !== node.first) found.visit(node.last, at);
      return;
    default:
      visitValue("write", node, at, found);
  }
}
var assignment = (node, at, found) => {
  const target = node.first;
  const value = node.last;
  if (target === null || value === null || target === value) return found.visitChildren(node, at);
  if (target.type === "identifier" && target.nameText === "exports" && isModuleExports(value))
    return assignment(value, at, found);
  if (visitCommonJsExport(node, target, value, at, found)) return;
  visitTarget(target, at, found);
  const held = unwrapped2(value);
  if (target.type === "member_expression" && isFunction(held)) {
    defineAssigned(node, target, held, at, found);
    return;
  }
  if (target.type === "identifier") flowTo(target.text, { node: value }, node, at, found);
  else if (target.type === "member_expression" && target.first?.type === "this" && target.last !== null)
    flowTo(`this.${target.last.text}`, { node: value }, target, at, found);
  else if (at.definition === null && at.block === null && PLAIN_MEMBER.test(target.text))
    flowTo(target.text, { node: value }, node, at, found);
  found.visit(value, at);
};
var PLAIN_MEMBER = /^(?!this\.|module\.|exports\.)[\p{ID_Continue}$]+\.[\p{ID_Continue}$]+$/u;
function isModuleExports(value) {
  return value.type === "assignment_expression" && /^module\.exports\s*=/.test(value.text.slice(0, 40));
}
function defineAssigned(node, target, value, at, found) {
  const { name: name2, receiver } = memberOf2(target);
  const prefix = receiver.form === "path" ? `${receiver.text}.` : "";
  const nameNode = target.last ?? target;
  const span = { start: node.start, end: node.end, head: node.start };
  defineFunction(value, { form: "function", name: name2, nameNode, ...span }, under(at, at.path + prefix), found, {
    is_property: true
  });
}
var change = (node, at, found) => {
  const target = node.first;
  if (target) visitTarget(target, at, found);
  for (const child2 of node.children) if (child2 !== target) found.visit(child2, at);
};
var augmented = (node, at, found) => {
  const target = node.first;
  const value = node.last;
  if (target !== null && value !== null && /^\s*(?:\?\?|\|\|)=/.test(found.source.text.slice(target.end, value.start))) {
    const held = unwrapped2(value);
    if (target.type === "member_expression" && isFunction(held)) {
      visitTarget(target, at, found);
      return defineAssigned(node, target, held, at, found);
    }
    const name2 = target.text;
    if (/^(?:this\.)?#?[\p{ID_Continue}$]+$/u.test(name2)) flowTo(name2, { node: value }, node, at, found);
  }
  change(node, at, found);
};
var read = (node, at, found) => visitValue("read", node, at, found);
var shorthand = (node, at, found) => found.use("read", node, node, at);
var skip = () => void 0;
var nameVisitors = /* @__PURE__ */ new Map([
  ["identifier", read],
  ["member_expression", read],
  ["shorthand_property_identifier", shorthand],
  ["shorthand_property_identifier_pattern", shorthand],
  ["assignment_expression", assignment],
  ["augmented_assignment_expression", augmented],
  ["update_expression", change],
  ["statement_identifier", skip],
  ["property_identifier", skip]
]);

// source/languages/typescript/blocks.ts
var block = (node, at, found) => found.visitChildren(node, insideBlock(at, node));
var forEach = (node, at, found) => {
  const target = node.children[0];
  if (target === void 0) return;
  const within = insideBlock(at, node);
  const keyword = /\b(const|let|var|using)\s*$/.exec(found.source.text.slice(node.start, target.start))?.[1];
  if (keyword === void 0) visitValue("write", target, at, found);
  else {
    const scope = keyword === "var" ? at.scope.varScope : within.scope;
    const values = node.children[1];
    const isOf = values !== void 0 && /\bof\s*$/.test(found.source.text.slice(target.end, values.start));
    for (const { name: name2, way } of namesOf(target, within, found)) {
      scope.declare(name2, false);
      const given = isOf && way ? takenFrom({ item: values }, way) : null;
      flowTo(name2, given, node, insideScope(within, scope, within.block), found);
    }
  }
  for (const child2 of node.children) if (child2 !== target) found.visit(child2, within);
};
var result = (node, at, found) => {
  if (node.first === null) return;
  returned(node.first, at, found);
  found.visit(node.first, at);
};
var handler = (node, at, found) => {
  const within = insideBlock(at, node);
  for (const child2 of node.children) {
    if (child2.type === "statement_block") found.visitChildren(child2, within);
    else if (child2.type === "type_annotation") found.visit(child2, within);
    else
      for (const { name: name2 } of namesOf(child2, within, found)) {
        within.scope.bind(name2, "local");
        flowTo(name2, null, child2, within, found);
      }
  }
};
var ambient = (node, at, found) => {
  const within = insideAmbient(at);
  for (const child2 of node.children)
    if (child2.type === "statement_block") found.visitChildren(child2, within);
    else found.visit(child2, within);
};
var namespace = (node, at, found) => {
  const nameNode = node.first;
  const body = node.child("statement_block");
  if (nameNode === null) return;
  if (nameNode.type === "string") {
    if (body !== null) found.visitChildren(body, insideScope(at, new Scope2(at.scope, "module"), at.block));
    return;
  }
  const name2 = nameNode.text.replace(/\s+/g, "");
  const root = /^[\p{ID_Continue}$]+/u.exec(name2)?.[0] ?? name2;
  at.scope.declare(root, true);
  const whole = wholeOf(node);
  const definition = define(found, at, {
    form: "variable",
    name: name2,
    nameNode,
    start: whole.start,
    end: whole.end,
    head: [node.start, body?.start ?? node.end],
    exported: isExported(node),
    scope: "module",
    is_constant: true
  });
  if (body !== null) found.visitChildren(body, inside(at, definition, name2, new Scope2(at.scope, "module")));
};
function wholeOf(node) {
  let whole = node;
  while (whole.parent !== null && WRAPPERS3.has(whole.parent.type)) whole = whole.parent;
  return whole;
}
var WRAPPERS3 = /* @__PURE__ */ new Set(["export_statement", "ambient_declaration", "expression_statement"]);
var blockVisitors = /* @__PURE__ */ new Map([
  ["statement_block", block],
  ["for_statement", block],
  ["switch_body", block],
  ["for_in_statement", forEach],
  ["catch_clause", handler],
  ["return_statement", result],
  ["ambient_declaration", ambient],
  ["internal_module", namespace],
  ["module", namespace]
]);

// source/languages/typescript/test-calls.ts
var TESTS = /* @__PURE__ */ new Set(["it", "test", "specify", "xit", "fit", "xtest"]);
var SUITES = /* @__PURE__ */ new Set(["describe", "suite", "context", "xdescribe", "fdescribe"]);
var MODIFIERS = new Set(
  "only skip todo fails failing concurrent sequential each for skipIf runIf shuffle serial parallel extend".split(
    " "
  )
);
var BEGINNING = /(?:it|test|specify|xit|fit|xtest|describe|suite|context|xdescribe|fdescribe|Deno)(?![\w$])/y;
var TITLE = 200;
function suiteAt(node, callee, list, at, found) {
  BEGINNING.lastIndex = callee.start;
  return BEGINNING.test(found.source.text) ? runAt(node, callee, list, at, found) : at;
}
function runAt(node, callee, list, at, found) {
  const names = runnerOf(callee);
  const use = names && useOf(names);
  const given = list.type === "arguments" ? list.children : [];
  const first = given[0];
  if (!names || !use || first === void 0) return at;
  const callback = given.slice(1).map(unwrapped2).find((one) => isFunction(one) || one.type === "identifier");
  if (callback === void 0) return at;
  const title = titleOf(first);
  if (use === "suite") return insideSuite(at, title);
  found.tests.push({
    root: names[0] ?? "",
    scope: at.scope,
    title,
    hasText: TEXTS.has(first.type),
    suites: at.suites,
    signature: folded(`${names.join(".")}(${first.text})`, 300),
    callback,
    node
  });
  return at;
}
var TEXTS = /* @__PURE__ */ new Set(["string", "template_string", "binary_expression"]);
function runnerOf(callee) {
  const names = [];
  let one = callee;
  while (one !== null && one.type !== "identifier") {
    if (one.type === "member_expression") {
      if (one.last === null) return null;
      names.unshift(one.last.text);
    } else if (one.type !== "call_expression" || one.first?.type !== "member_expression") return null;
    one = one.first;
  }
  return one === null ? null : [one.nameText, ...names];
}
function useOf([root = "", ...names]) {
  const [first, ...others] = names;
  if (root === "Deno") return first === "test" && others.every((name2) => MODIFIERS.has(name2)) ? "test" : null;
  const isSuite = SUITES.has(root) || TESTS.has(root) && first === "describe";
  const modifiers = isSuite && first === "describe" ? others : names;
  if (!modifiers.every((name2) => MODIFIERS.has(name2))) return null;
  return isSuite ? "suite" : "test";
}
function titleOf(node) {
  const plain = stringOf(node)?.replace(/\\(['"`])/g, "$1") ?? null;
  const text = plain ?? (node.type === "template_string" ? node.text.slice(1, -1) : node.text);
  return folded(text, TITLE).trim() || "untitled";
}

// source/languages/typescript/calls.ts
var call = (node, at, found) => {
  const callee = calleeOf2(node);
  const { last: last2 } = node;
  if (callee === null || last2 === null) return;
  if (importedBy(node) !== null) return bindDynamic(node, at, found);
  visitCallee("call", callee, node, countOf2(last2), at, found);
  found.visitMaybe(node.child("type_arguments"), at);
  visitArguments(last2, suiteAt(node, callee, last2, at, found), found);
};
var construction = (node, at, found) => {
  const callee = node.first;
  if (callee === null) return;
  const list = node.child("arguments");
  visitCallee("new", callee, node, list === null ? 0 : countOf2(list), at, found);
  found.visitMaybe(node.child("type_arguments"), at);
  if (list !== null) visitArguments(list, at, found);
};
function visitCallee(kind, callee, node, count, at, found) {
  const target = unwrapped2(callee);
  const isNamed = CALLED.has(target.type) || target.type === "subscript_expression" && target.last?.type === "string";
  if (isNamed) found.use(kind, target, node, at, count);
  else found.visit(callee, at);
}
var CALLED = /* @__PURE__ */ new Set(["identifier", "member_expression", "super"]);
function countOf2(list) {
  if (list.type !== "arguments") return null;
  const { children } = list;
  return children.some((one) => one.type === "spread_element") ? null : children.length;
}
function visitArguments(list, at, found) {
  if (list.type !== "arguments") {
    found.visit(list, at);
    return;
  }
  for (const argument of list.children) visitValue("pass", argument, at, found);
}
var decorator = (node, at, found) => {
  const expression = node.first;
  if (expression === null) return;
  const list = expression.type === "call_expression" ? expression.last : null;
  const callee = list === null ? expression : expression.first ?? expression;
  visitCallee("decorator", callee, expression, list === null ? null : countOf2(list), at, found);
  if (list !== null) visitArguments(list, at, found);
};
var element2 = (node, at, found) => {
  const name2 = node.first;
  if (name2 === null) return;
  if (name2.type === "identifier") {
    if (/^[^a-z]/.test(name2.nameText)) found.use("jsx", name2, node, at);
  } else if (name2.type === "member_expression") found.use("jsx", name2, node, at);
  for (const child2 of node.children) if (child2 !== name2) found.visit(child2, at);
};
var attribute = (node, at, found) => {
  const { last: last2 } = node;
  if (last2 === null || last2 === node.first) return;
  const value = last2.type === "jsx_expression" ? last2.first : last2;
  if (value !== null) visitValue("pass", value, at, found);
};
var skip2 = () => void 0;
var callVisitors = /* @__PURE__ */ new Map([
  ["call_expression", call],
  ["new_expression", construction],
  ["decorator", decorator],
  ["jsx_opening_element", element2],
  ["jsx_self_closing_element", element2],
  ["jsx_attribute", attribute],
  ["jsx_closing_element", skip2]
]);

// source/languages/typescript/component-file.ts
function walkComponentFile(found, file) {
  const top = topOfFile();
  const statements2 = found.source.root.children;
  const scriptOf = (offset) => file.scripts.find(({ from, to }) => from <= offset && offset < to);
  const given = statements2.find(
    (one) => scriptOf(one.start)?.isSetup === false && DEFAULT.test(found.source.text.slice(one.start, one.start + 60))
  );
  for (const one of statements2) if (one !== given && scriptOf(one.start)) found.visit(one, top);
  for (const { src } of file.scripts) if (src !== null) importSource(src, found);
  const owner = ownerOf(file, given ?? null, top, found);
  for (const use of found.uses)
    if (use.definition === null && scriptOf(use.offset)?.isSetup) use.definition = owner.definition;
  walkTemplate(file, owner, top, found);
}
var DEFAULT = /^export\s+default\b/;
function importSource(module2, found) {
  const names = [{ imported: "*", local: null }];
  const at = topOfFile();
  found.import({ module: module2, kind: "import", type_only: false, names }, found.source.root, at);
}
function ownerOf(file, given, top, found) {
  const value = given?.last ? unwrapped2(given.last) : null;
  const options2 = value?.type === "object" ? value : value && optionsOf(value);
  const name2 = (options2 && nameOption(options2)) ?? file.name;
  const isSetup = file.scripts.some((one) => one.isSetup);
  if (given && options2 && !isSetup) {
    const named3 = { name: name2, nameNode: given, start: 0, end: file.end, head: given.start, exported: true };
    const definition2 = defineOptions(options2, { ...named3, is_property: true }, top, found);
    found.export("default", null, null, given, definition2);
    if (given.last) found.visit(given.last, partOf(top, definition2));
    return { definition: definition2, hasMembers: true, registered: registered(options2) };
  }
  const named2 = given && !options2 && !isSetup ? namedDefault(given, top, found) : null;
  if (named2 !== null) {
    const hasMembers = found.definitions[named2]?.fact.form === "class";
    return { definition: named2, hasMembers, registered: null };
  }
  const { root } = found.source;
  const definition = define(found, top, {
    form: "function",
    name: name2,
    nameNode: root,
    start: 0,
    end: file.end,
    head: file.head,
    docstring: null,
    exported: true,
    is_property: true,
    is_component: true
  });
  if (isSetup || !given) found.export("default", null, null, root, definition);
  if (given?.last) found.visit(isSetup ? given.last : given, partOf(top, definition));
  return { definition, hasMembers: false, registered: null };
}
function namedDefault(given, top, found) {
  const before = found.exports.length;
  found.visit(given, top);
  const exported = found.exports[before]?.fact;
  const local = exported?.local ?? null;
  const index = exported?.definition ?? found.definitions.findIndex(({ fact }) => fact.parent === null && !fact.block && fact.name === local);
  const definition = found.definitions[index]?.fact;
  if (!definition) return null;
  definition.is_component = true;
  return index;
}
function walkTemplate(file, owner, top, found) {
  const pieces = new Map(file.pieces.map((piece) => [piece.start, piece]));
  for (const node of found.source.root.children) {
    const piece = pieces.get(node.start);
    if (piece === void 0) continue;
    if (piece.kind === "tag") {
      addElement(node, piece, owner, top, found);
      continue;
    }
    const scope = new Scope2(top.scope, "block");
    for (const name2 of piece.locals) scope.bind(name2, "local");
    const at = partOf(insideScope(top, scope, null), owner.definition);
    const before = found.uses.length;
    if (piece.kind === "statement") found.visitChildren(node, at);
    else visitExpression(node, piece, at, found);
    if (owner.hasMembers) for (const use of found.uses.slice(before)) toMember(use);
  }
}
function visitExpression(node, { isPassed }, at, found) {
  const inner = node.first?.type === "parenthesized_expression" ? node.first.first : null;
  if (inner === null) found.visit(node, at);
  else visitValue(isPassed ? "pass" : "read", inner, at, found);
}
function toMember(use) {
  const root = use.receiver === null ? use.name : use.receiver.root;
  if (root === null || use.scope.lookup(root) === "local") return;
  if (use.receiver === null) use.receiver = { text: "this", form: "this", root: null };
  else if (use.receiver.form === "path")
    use.receiver = { text: `this.${use.receiver.text}`, form: "this", root: null };
}
function addElement(node, { name: name2 }, owner, top, found) {
  const at = partOf(top, owner.definition);
  const target = node.first;
  if (target?.type === "member_expression" && owner.registered === null) {
    if (namesValue(name2.slice(0, name2.indexOf(".")), found)) found.use("jsx", target, target, at);
    return;
  }
  for (const spelling of spellingsOf(name2)) {
    const local = owner.registered === null ? spelling : owner.registered.get(spelling);
    if (local === void 0 || !namesValue(local, found)) continue;
    found.uses.push({
      kind: "jsx",
      name: local,
      offset: node.start,
      receiver: null,
      node: target ?? node,
      arguments: null,
      definition: owner.definition,
      scope: top.scope
    });
    return;
  }
}
function namesValue(name2, found) {
  return found.imports.some(({ fact }) => !fact.type_only && fact.names.some(({ local }) => local === name2)) || found.definitions.some(
    ({ fact }) => fact.parent === null && fact.name === name2 && !fact.block && !fact.is_property && fact.form !== "type" && fact.subkind !== "interface"
  );
}
function spellingsOf(name2) {
  const camel = name2.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  return [.../* @__PURE__ */ new Set([name2, camel, camel.charAt(0).toUpperCase() + camel.slice(1)])];
}

// source/languages/typescript/enums.ts
var enumeration = (node, at, found) => {
  const nameNode = node.child("identifier");
  if (nameNode === null) return;
  const name2 = nameNode.text;
  const whole = statementOf(node);
  at.scope.declare(name2, true);
  const body = node.child("enum_body");
  const definition = define(found, at, {
    form: "class",
    subkind: "enum",
    name: name2,
    nameNode,
    start: whole.start,
    end: whole.end,
    head: [node.start, body?.start ?? node.end],
    exported: isExported(node)
  });
  const within = inside(at, definition, name2, new Scope2(at.scope, "block"));
  for (const member of body?.children ?? []) {
    const key = member.type === "enum_assignment" ? member.first : member;
    const memberName2 = keyOf(key);
    if (key === null || memberName2 === null) continue;
    within.scope.bind(memberName2, "definition");
    const own = define(found, within, {
      form: "variable",
      name: memberName2,
      nameNode: key,
      start: member.start,
      end: member.end,
      head: [member.start, member.end],
      scope: "class",
      is_constant: true
    });
    if (member !== key && member.last) found.visit(member.last, partOf(within, own));
  }
};
var enumVisitors = /* @__PURE__ */ new Map([["enum_declaration", enumeration]]);

// source/languages/typescript/findings.ts
var LEAVES = /* @__PURE__ */ new Set([
  "identifier",
  "type_identifier",
  "shorthand_property_identifier",
  "shorthand_property_identifier_pattern"
]);
var ROOTS = /* @__PURE__ */ new Set(["identifier", "this", "super"]);
var DEEPEST7 = 200;
var Findings = class {
  source;
  /** Their ordinals, and the numbers of their parents, are set when all are known. */
  definitions = [];
  uses = [];
  imports = [];
  exports = [];
  /** Whether a callee is local is set when all names are bound. */
  types = [];
  tests = [];
  /** What values names get; which of them matter is known when all uses are. */
  flows = [];
  /** The definitions that functions and classes are, by their nodes. */
  defined = /* @__PURE__ */ new Map();
  #visitors;
  #aside = [];
  #depth = 0;
  constructor(source, visitors2) {
    this.source = source;
    this.#visitors = visitors2;
  }
  /** Walks the whole file. */
  walk(top) {
    this.visitChildren(this.source.root, top);
    for (let next = this.#aside.pop(); next !== void 0; next = this.#aside.pop()) this.visit(...next);
  }
  /** Hands a node to its type's visitor; what has none is walked through. */
  visit(node, at) {
    if (this.#depth > DEEPEST7) {
      this.#aside.push([node, at]);
      return;
    }
    this.#depth += 1;
    const visitor = this.#visitors.get(node.type);
    if (visitor === void 0) for (const child2 of node.children) this.visit(child2, at);
    else visitor(node, at, this);
    this.#depth -= 1;
  }
  /** Visits every child. */
  visitChildren(node, at) {
    for (const child2 of node.children) this.visit(child2, at);
  }
  /** Visits a node that may be absent. */
  visitMaybe(node, at) {
    if (node !== null) this.visit(node, at);
  }
  /** Keeps a definition; its number is good until the file's facts are put in order. */
  define(fact, offset) {
    return this.definitions.push({ fact, offset }) - 1;
  }
  /**
   * Keeps the use that `node` makes of a name or member, `target`, and visits what stands in the member's receiver.
   */
  use(kind, target, node, at, count = null) {
    const member = LEAVES.has(target.type) ? null : memberOf2(target);
    this.uses.push({
      kind,
      name: member === null ? target.nameText : member.name,
      offset: member === null ? target.start : member.offset,
      receiver: member === null ? null : member.receiver,
      node,
      arguments: count,
      definition: at.definition,
      scope: at.scope
    });
    if (member?.inner) this.visitReceiver(member.inner, at);
  }
  /** What stands in a receiver besides the path that the reference itself shows. */
  visitReceiver(receiver, at) {
    let one = receiver;
    while (one?.type === "member_expression" || one?.type === "non_null_expression") one = one.first;
    if (one !== null && !ROOTS.has(one.type)) this.visit(one, at);
  }
  /** Keeps what is told of a name's type. */
  type(target, type, source, node, at) {
    const { block: block2 } = at;
    this.types.push({
      fact: {
        target,
        type,
        source,
        local: false,
        from: at.definition,
        block: block2 === null || target.startsWith("this.") ? null : this.source.span(block2.start, block2.end),
        line: this.source.lineOf(node.start)
      },
      offset: node.start,
      scope: at.scope
    });
  }
  /** Keeps what an import statement or expression binds. */
  import(fact, node, at) {
    for (const { local } of fact.names) if (local !== null) at.scope.bind(local, "import");
    const { module: module2, kind, type_only, names } = fact;
    const line = this.source.lineOf(node.start);
    const column = this.source.columnOf(node.start);
    const from = at.definition;
    this.imports.push({ fact: { module: module2, kind, type_only, names, from, line, column }, offset: node.start });
  }
  /** Keeps a name that the file offers to others. */
  export(name2, local, module2, node, definition) {
    const line = this.source.lineOf(node.start);
    this.exports.push({ fact: { name: name2, local, module: module2, definition, line }, offset: node.start });
  }
};

// source/languages/typescript/test-files.ts
function isTestFile(path) {
  return /(?:^|\/)__tests__\//.test(path) || /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(path);
}

// source/languages/typescript/routes/frameworks.ts
var METHODS2 = {
  express: new Set(
    "get post put patch delete head options trace connect all use copy lock mkcol move purge propfind proppatch unlock report mkactivity checkout merge m-search notify subscribe unsubscribe search link unlink".split(" ")
  ),
  hono: new Set("get post put patch delete options all use".split(" ")),
  fastify: new Set("get post put patch delete head options trace all".split(" "))
};
var CHAINED = {
  express: /* @__PURE__ */ new Set(["set", "engine", "enable", "disable", "param"]),
  hono: /* @__PURE__ */ new Set(["on", "route", "mount", "onError", "notFound", "openapi"]),
  fastify: /* @__PURE__ */ new Set(["register", "route", "decorate", "addHook", "withTypeProvider", "after", "addSchema"])
};
function isMethod(framework, name2) {
  return METHODS2[framework].has(name2);
}
function isChained(framework, name2) {
  return METHODS2[framework].has(name2) || CHAINED[framework].has(name2);
}
var EXPRESS = /^(?:express|express-promise-router|express-serve-static-core)$/;
var HONO = /^(?:Hono|OpenAPIHono)$/;
var Frameworks = class {
  #imported = /* @__PURE__ */ new Map();
  constructor({ imports }) {
    for (const { fact } of imports)
      for (const { imported, local } of fact.names)
        if (local !== null) this.#imported.set(local, { module: fact.module, name: imported });
  }
  /** The framework whose router a call or construction makes; null for any other. */
  madeBy(node, scope) {
    const callee = node.type === "new_expression" ? node.first : calleeOf2(node);
    const called2 = callee && unwrapped2(callee);
    if (!called2) return null;
    if (called2.type === "member_expression") {
      const [object2, property2] = [called2.first, called2.last];
      if (object2 === null || property2?.text !== "Router") return null;
      return this.#isExpress(unwrapped2(object2), scope) ? "express" : null;
    }
    if (called2.type === "call_expression") return moduleFramework(importedBy(called2)?.module);
    if (called2.type !== "identifier" || scope.lookup(called2.nameText) !== "import") return null;
    const imported = this.#imported.get(called2.nameText);
    if (imported === void 0) return null;
    const { module: module2, name: name2 } = imported;
    if (HONO.test(name2)) return "hono";
    if (EXPRESS.test(module2)) return WHOLE.has(name2) || name2 === "Router" ? "express" : null;
    if (module2 === "fastify") return WHOLE.has(name2) || /^fastify$/i.test(name2) ? "fastify" : null;
    if (!WHOLE.has(name2) || !module2.startsWith(".")) return null;
    return moduleFramework(called2.nameText.toLowerCase());
  }
  /** The framework whose router a written type is; null for any other. */
  typed(type) {
    const [, path = ""] = /^([\w$.]+)/.exec(type) ?? [];
    const [root = "", member] = path.split(".");
    const imported = this.#imported.get(root);
    if (imported === void 0) return null;
    const name2 = member ?? imported.name;
    if (HONO.test(name2)) return "hono";
    if (name2 === "FastifyInstance") return "fastify";
    return EXPRESS.test(imported.module) && EXPRESS_TYPES.has(name2) ? "express" : null;
  }
  /** Whether a written type is that of a function that Fastify gives an instance. */
  isPlugin(type) {
    const [, name2 = ""] = /^([\w$]+)/.exec(type) ?? [];
    return FASTIFY_PLUGINS.test(this.#imported.get(name2)?.name ?? "");
  }
  #isExpress(object2, scope) {
    if (object2.type === "call_expression") return moduleFramework(importedBy(object2)?.module) === "express";
    if (object2.type !== "identifier" || scope.lookup(object2.nameText) !== "import") return false;
    const imported = this.#imported.get(object2.nameText);
    if (imported === void 0 || !WHOLE.has(imported.name)) return false;
    return EXPRESS.test(imported.module) || imported.module.startsWith(".") && object2.nameText === "express";
  }
};
var WHOLE = /* @__PURE__ */ new Set(["default", "*"]);
var EXPRESS_TYPES = /* @__PURE__ */ new Set(["Express", "Application", "Router", "IRouter"]);
var FASTIFY_PLUGINS = /^FastifyPlugin(?:Async|Callback)?(?:\w*)$/;
function moduleFramework(module2) {
  return module2 === "express" || module2 === "fastify" ? module2 : null;
}
function textProperty(object2, name2) {
  return stringOf(propertyOf(object2, name2));
}
function propertyOf(object2, name2) {
  for (const member of object2.children) {
    if (member.type === "shorthand_property_identifier" && member.text === name2) return member;
    const key = member.first;
    if (member.type === "method_definition" && member.child("property_identifier")?.text === name2)
      return member;
    if (member.type !== "pair" || key === null || member.last === null) continue;
    if (key.text === name2 || stringOf(key) === name2) return unwrapped2(member.last);
  }
  return null;
}

// source/languages/typescript/routes/routers.ts
var LONGEST2 = 50;
var Routers2 = class {
  #found;
  #frameworks;
  #named = /* @__PURE__ */ new Map();
  /** By the path as written: `this.app`. */
  #fields = /* @__PURE__ */ new Map();
  #made = /* @__PURE__ */ new Map();
  #plugins = /* @__PURE__ */ new Map();
  constructor(found) {
    this.#found = found;
    this.#frameworks = new Frameworks(found);
    this.#readTypes();
    for (const use of found.uses) if (use.kind === "call" || use.kind === "new") this.#readMade(use);
    for (const use of found.uses) if (use.kind === "call") this.#readMount(use);
  }
  /** The router that an expression is; null for any other. */
  at(node, scope, depth = 0) {
    const one = unwrapped2(node);
    if (depth > LONGEST2) return null;
    switch (one.type) {
      case "identifier":
        return this.#byName(one, scope);
      case "member_expression":
        return this.#fields.get(one.text.replace(/\s+/g, "")) ?? null;
      case "await_expression":
        return one.first && this.at(one.first, scope, depth);
      case "new_expression":
      case "call_expression":
        return this.#made.get(one) ?? this.#remember(one, this.#ofCall(one, scope, depth));
      default:
        return null;
    }
  }
  /** What is in front of the paths of a router, as far as this file tells. */
  prefixOf(router, depth = 0) {
    const [mount, ...others] = router.base ? [router.base] : router.mounts;
    if (mount === void 0 || others.length > 0 || depth > LONGEST2) return "";
    return joined2(this.prefixOf(mount.on, depth + 1), mount.path);
  }
  #readTypes() {
    for (const { fact, scope } of this.#found.types) {
      const framework = fact.source === "constructor" ? null : this.#frameworks.typed(fact.type);
      if (framework === null) continue;
      if (fact.target.startsWith("this.")) this.#fields.set(fact.target, { framework, mounts: [] });
      else this.#name(fact.target, scope, { framework, mounts: [] });
    }
    for (const { fact } of this.#found.definitions) {
      const framework = fact.value_type === null ? null : this.#frameworks.typed(fact.value_type);
      if (framework !== null && fact.scope === "class")
        this.#fields.set(`this.${fact.name}`, { framework, mounts: [] });
    }
  }
  /** A router that is made, and the name that it gets. */
  #readMade({ node, scope }) {
    const framework = this.#frameworks.madeBy(node, scope);
    if (framework === null || this.#made.has(node)) return;
    const router = this.#remember(node, { framework, mounts: [] });
    let whole = node;
    let made = router;
    for (let parent = whole.parent; parent !== null; parent = whole.parent) {
      const isChain = parent.type === "member_expression" && parent.first === whole;
      const isCall = parent.type === "call_expression" && parent.first === whole;
      if (!isChain && !isCall && !THROUGH.has(parent.type)) break;
      if (isCall && whole.type === "member_expression") {
        made = made && this.#remember(parent, this.#ofChain(parent, made));
        if (made === null) return;
      }
      whole = parent;
    }
    if (made !== null) this.#assign(whole, scope, made);
  }
  /** Gives a value the names that it is assigned to: `const app = module.exports = express()`. */
  #assign(value, scope, router) {
    const { parent } = value;
    if (parent !== null && THROUGH.has(parent.type)) this.#assign(parent, scope, router);
    if (parent === null || parent.last !== value) return;
    const target = parent.first;
    if (parent.type === "variable_declarator" || parent.type === "assignment_expression") {
      if (target?.type === "identifier") this.#name(target.text, scope, router);
      else if (target?.type === "member_expression")
        this.#fields.set(target.text.replace(/\s+/g, ""), router);
      if (parent.type === "assignment_expression") this.#assign(parent, scope, router);
    } else if (FIELDS2.has(parent.type)) {
      const name2 = parent.child("property_identifier", "private_property_identifier");
      if (name2 !== null) this.#fields.set(`this.${name2.text}`, router);
    }
  }
  /** `app.use('/api', router)`, `app.route('/api', sub)`, `app.register(plugin, { prefix: '/v1' })` */
  #readMount({ name: name2, node, scope }) {
    if (name2 !== "use" && name2 !== "route" && name2 !== "register") return;
    const on = this.#receiver(node, scope);
    const given = argumentsOf2(node);
    if (on === null) return;
    const path = stringOf(given[0]);
    if (on.framework === "fastify") {
      const [plugin, options2] = given;
      if (name2 !== "register" || plugin === void 0) return;
      const prefix = options2?.type === "object" ? textProperty(options2, "prefix") ?? "" : "";
      this.#mountPlugin(unwrapped2(plugin), on, prefix, scope);
    } else if (on.framework === "hono" === (name2 === "route"))
      for (const one of path === null ? given : given.slice(1)) {
        const child2 = one.type === "spread_element" ? null : this.at(one, scope);
        if (child2 !== null && child2 !== on) child2.mounts.push({ on, path: path ?? "" });
      }
  }
  #mountPlugin(plugin, on, path, scope) {
    const wrapped2 = plugin.type === "call_expression" ? argumentsOf2(plugin)[0] : void 0;
    const given = wrapped2 ?? plugin;
    const held = given.type === "identifier" ? this.#functionNamed(given.nameText, scope) : given;
    if (held === null || !(isFunction(held) || held.type.endsWith("function_declaration"))) return;
    const known = this.#plugins.get(held) ?? { framework: "fastify", mounts: [] };
    known.mounts.push({ on, path });
    this.#plugins.set(held, known);
  }
  /** The function of this file that a name at the top stands for. */
  #functionNamed(name2, scope) {
    if (scope.lookup(name2) !== "module") return null;
    for (const [node, index] of this.#found.defined) {
      const fact = this.#found.definitions[index]?.fact;
      if (fact?.name === name2 && fact.parent === null) return node;
    }
    return null;
  }
  #byName(node, scope) {
    const name2 = node.nameText;
    const binding = scope.binding(name2);
    if (binding === null) return null;
    const known = this.#named.get(binding)?.get(name2);
    if (known) return known;
    if (scope.lookup(name2) !== "local") return null;
    const router = this.#parameter(name2, node);
    if (router !== null) this.#name(name2, scope, router);
    return router;
  }
  /** What the first parameter of a Fastify plugin is: the function is registered, typed, or names it after the framework. */
  #parameter(name2, node) {
    for (let one = node.parent; one !== null; one = one.parent) {
      if (!FUNCTIONS3.has(one.type)) continue;
      const list = one.child("formal_parameters");
      const first = list === null ? one.first : list.first;
      if (first === null || nameOf(first) !== name2) continue;
      const known = this.#plugins.get(one);
      if (known) return known;
      const { parent } = one;
      const type = parent?.type === "variable_declarator" ? annotationOf(parent) : null;
      const isPlugin = name2 === "fastify" || type !== null && this.#frameworks.isPlugin(type);
      return isPlugin ? { framework: "fastify", mounts: [] } : null;
    }
    return null;
  }
  #receiver(node, scope) {
    const callee = calleeOf2(node);
    const member = callee && unwrapped2(callee);
    return member?.type === "member_expression" && member.first ? this.at(member.first, scope) : null;
  }
  #ofCall(node, scope, depth) {
    const framework = this.#frameworks.madeBy(node, scope);
    if (framework !== null) return { framework, mounts: [] };
    const callee = calleeOf2(node);
    if (callee?.type !== "member_expression" || callee.first === null) return null;
    const on = this.at(callee.first, scope, depth + 1);
    return on && this.#ofChain(node, on);
  }
  /** What a method of a router gives. */
  #ofChain(call2, on) {
    const name2 = calleeOf2(call2)?.last?.text ?? "";
    const path = stringOf(argumentsOf2(call2)[0]);
    if (on.framework === "hono" && name2 === "basePath" && path !== null)
      return { framework: "hono", mounts: [], base: { on, path } };
    if (on.framework === "express" && name2 === "route" && path !== null)
      return { framework: "express", mounts: [], base: { on, path }, fixed: true };
    return isChained(on.framework, name2) ? on : null;
  }
  #remember(node, router) {
    this.#made.set(node, router);
    return router;
  }
  #name(name2, scope, router) {
    const binding = scope.binding(name2);
    if (binding === null) return;
    const names = this.#named.get(binding) ?? /* @__PURE__ */ new Map();
    this.#named.set(binding, names.set(name2, router));
  }
};
var THROUGH = /* @__PURE__ */ new Set([
  "parenthesized_expression",
  "as_expression",
  "satisfies_expression",
  "non_null_expression",
  "await_expression"
]);
var FIELDS2 = /* @__PURE__ */ new Set(["public_field_definition", "field_definition"]);
var FUNCTIONS3 = /* @__PURE__ */ new Set([
  "arrow_function",
  "function_expression",
  "function_declaration",
  "generator_function",
  "method_definition"
]);
function nameOf(parameter) {
  const pattern = parameter.type === "identifier" ? parameter : parameter.child("identifier");
  return pattern?.text ?? "";
}
function argumentsOf2(call2) {
  return (call2.child("arguments")?.children ?? []).map(unwrapped2);
}
function joined2(prefix, path) {
  if (prefix === "") return path;
  const front = prefix.replace(/\/+$/, "");
  const rest = path.replace(/^\/+/, "");
  if (rest === "") return front === "" ? "/" : front;
  return `${front}/${rest}`;
}

// source/languages/typescript/routes/said.ts
function saidBy(name2, router, given, routerAt) {
  const { framework, fixed } = router;
  if (framework === "fastify" && name2 === "route") return ofOptions(given[0]);
  if (framework === "hono" && name2 === "on") {
    const methods = textsOf2(given[0]);
    return methods === null ? null : withPath(methods, given.slice(1), framework);
  }
  if (framework === "hono" && name2 === "openapi") return ofDescription(given);
  if (!isMethod(framework, name2)) return null;
  if (name2 === "use" && given.some((one) => routerAt(one) !== null)) return null;
  const method = name2.toUpperCase();
  if (fixed) return ran([method], [{ text: "", isOpen: false }], null, given);
  if (name2 === "use" && given[0] && pathsOf(given[0], framework).some(({ isOpen }) => isOpen)) return null;
  return withPath([method], given, framework);
}
function withPath(methods, [path, ...run], framework) {
  const paths = path ? pathsOf(path, framework) : [];
  return path && paths.length > 0 ? ran(methods, paths, path.end, run) : null;
}
function ran(methods, paths, head, run) {
  const held = run.flatMap((one) => one.type === "array" ? one.children.map(unwrapped2) : [one]);
  const all2 = held.flatMap((one) => one.type === "object" ? [propertyOf(one, "handler") ?? one] : [one]);
  const handlers = all2.filter((one) => isFunction(one) || one.type === "method_definition");
  const named2 = all2.filter(({ type }) => NAMED_FUNCTIONS.has(type));
  return run.length === 0 ? null : { methods: methods.map((one) => one.toUpperCase()), paths, head, run, handlers, named: named2 };
}
function ofOptions(options2) {
  if (options2?.type !== "object") return null;
  const methods = textsOf2(propertyOf(options2, "method") ?? void 0);
  const path = propertyOf(options2, "url") ?? propertyOf(options2, "path");
  return methods === null || path === null ? null : withPath(methods, [path, options2], "fastify");
}
function ofDescription([description, ...run]) {
  const object2 = description?.type === "call_expression" ? description.child("arguments")?.first : void 0;
  if (object2?.type !== "object") return null;
  const [method, path] = [textProperty(object2, "method"), propertyOf(object2, "path")];
  return method === null || path === null ? null : withPath([method], [path, ...run], "hono");
}
function textsOf2(node) {
  const texts = node?.type === "array" ? node.children.map(stringOf) : [stringOf(node)];
  return texts.every((one) => one !== null) ? texts : null;
}
function pathsOf(node, framework) {
  if (node.type === "array" && framework !== "fastify")
    return node.children.flatMap((one) => pathsOf(unwrapped2(one), framework));
  const text = stringOf(node) ?? (node.type === "template_string" ? node.text.slice(1, -1) : null);
  if (text !== null) return [{ text, isOpen: text.startsWith("${") }];
  if (node.type === "regex" && framework === "express") return [{ text: node.text, isOpen: true }];
  return NAMES3.has(node.type) ? [{ text: `\${${node.text}}`, isOpen: true }] : [];
}
var NAMED_FUNCTIONS = /* @__PURE__ */ new Set(["identifier", "member_expression", "shorthand_property_identifier"]);
var NAMES3 = /* @__PURE__ */ new Set(["identifier", "member_expression", "binary_expression"]);

// source/languages/typescript/routes/routes.ts
var NAMED2 = /express|hono|fastify/i;
function routesOf2(path, found, numbers) {
  if (!NAMED2.test(found.source.text) || isTestFile(path) || isInTestFolder(path)) return [];
  const routers = new Routers2(found);
  const inTest = (offset) => found.tests.some(({ node: { start, end } }) => start <= offset && offset < end);
  const registered2 = found.uses.flatMap((use) => {
    const one = use.kind === "call" && !inTest(use.offset) ? registrationOf(use, routers) : null;
    return one === null ? [] : [one];
  });
  const ordinals = /* @__PURE__ */ new Map();
  const numbered2 = (name2) => {
    const ordinal = (ordinals.get(name2) ?? 0) + 1;
    ordinals.set(name2, ordinal);
    return { name: name2, ordinal };
  };
  return registered2.sort((a, b) => a.start - b.start).map(({ names, start, end, head, run: [first, last2], handlers, named: named2 }) => ({
    routes: names.map(numbered2),
    signature: signatureLine(folded(`${found.source.text.slice(start, head)})`, 300), false),
    span: found.source.span(start, end),
    body: found.source.span(first.start, last2.end),
    handlers: handlers.flatMap((node) => numbers[found.defined.get(node) ?? -1] ?? []),
    named: named2.map((node) => found.source.span(node.start, node.end))
  }));
}
function registrationOf({ name: name2, node, offset, scope }, routers) {
  const callee = calleeOf2(node);
  const member = callee && unwrapped2(callee);
  if (member?.type !== "member_expression" || member.first === null) return null;
  const router = routers.at(member.first, scope);
  const said = router && saidBy(name2, router, argumentsOf2(node), (one) => routers.at(one, scope));
  const [first, last2] = [said?.run[0], said?.run.at(-1)];
  if (!router || !said || !first || !last2) return null;
  const prefix = routers.prefixOf(router);
  const paths = said.paths.map((one) => fullPath(prefix, one));
  const names = said.methods.flatMap((method) => paths.map((path) => `${method} ${path}`));
  const start = CALLS.has(unwrapped2(member.first).type) ? offset : node.start;
  return {
    names: [...new Set(names)],
    start,
    end: node.end,
    head: said.head ?? offset + name2.length + 1,
    run: [first, last2],
    handlers: said.handlers,
    named: said.named
  };
}
var CALLS = /* @__PURE__ */ new Set(["call_expression", "new_expression", "await_expression"]);
var LONGEST_PATH = 200;
function fullPath(prefix, { text, isOpen }) {
  const path = isOpen ? text : joined2(prefix, text);
  return folded(path === "" ? "/" : path, LONGEST_PATH);
}

// source/languages/typescript/tests.ts
var FRAMEWORK = /^(?:vitest|@jest\/globals|(?:node:)?test|mocha|bun:test|ava|uvu|tape?|@playwright\/test|@japa\/runner|.*@std\/testing.*\/bdd|https:\/\/deno\.land\/std.*\/testing\/bdd\.ts)$/;
var ASYNC = /^async\b/;
function testsOf2(path, found) {
  if (found.tests.length === 0) return [];
  const isTests = isTestFile(path) || isInTestFolder(path);
  const ordinals = /* @__PURE__ */ new Map();
  return found.tests.filter((one) => isTest2(one, found, isTests)).sort((a, b) => a.node.start - b.node.start).map(({ title, suites, signature: signature2, callback, node }) => {
    const qualname = [...suites, title].join(".");
    const ordinal = (ordinals.get(qualname) ?? 0) + 1;
    ordinals.set(qualname, ordinal);
    return {
      title,
      definition: null,
      suites: [...suites],
      qualname,
      ordinal,
      signature: signature2,
      is_async: ASYNC.test(callback.text),
      span: found.source.span(node.start, node.end),
      body: found.source.span(callback.start, callback.end)
    };
  });
}
function isTest2({ scope, root, hasText }, found, isTests) {
  const binding = scope.lookup(root);
  if (binding === null) return isTests || root === "Deno";
  if (binding !== "import") return false;
  const origin = found.imports.find(({ fact }) => fact.names.some(({ local }) => local === root));
  return FRAMEWORK.test(origin?.fact.module ?? "") || isTests && hasText;
}

// source/languages/typescript/variables.ts
var declaration3 = (node, at, found) => {
  const declarators = node.children.filter((one) => one.type === "variable_declarator");
  const whole = statementOf(node);
  const keyword = /^(?:await\s+(?=using))?(\w+)/.exec(node.text.slice(0, 40))?.[1] ?? "var";
  const isVar = keyword === "var";
  const declaring = isVar ? insideScope(at, at.scope.varScope, at.functionBlock) : at;
  for (const one of declarators) {
    const alone = declarators.length === 1;
    visitDeclarator(
      {
        node: one,
        keyword,
        start: alone ? whole.start : one.start,
        end: alone ? endOf3(found.source, whole) : one.end,
        head: alone ? node.start : one.start,
        prefix: alone ? "" : `${keyword} `,
        exported: isExported(node),
        at: declaring
      },
      at,
      found
    );
  }
  for (const child2 of node.children) if (child2.type === "ERROR") found.visit(child2, at);
};
function visitDeclarator(declared, at, found) {
  const { node } = declared;
  const target = node.first;
  if (target === null) return;
  const annotation = node.child("type_annotation");
  const { last: last2 } = node;
  const value = last2 === null || last2 === target || last2 === annotation ? null : last2;
  if (value !== null && bindRequired(target, value, declared.at, found)) return;
  if (target.type !== "identifier") {
    visitPattern(declared, target, value, at, found);
    return;
  }
  const held = value === null ? null : unwrapped2(value);
  const name2 = target.text;
  const { start, end, head, exported } = declared;
  const definition = found.definitions.length;
  if (held !== null && isFunction(held)) {
    declared.at.scope.declare(name2, true);
    const named2 = { form: "function", name: name2, nameNode: target, start, end, head };
    defineFunction(held, named2, declared.at, found, { exported, ...headed(declared) });
    found.visitMaybe(annotation, partOf(at, definition));
    return;
  }
  const options2 = held === null ? null : optionsOf(held);
  if (value !== null && options2 !== null) {
    declared.at.scope.declare(name2, true);
    const named2 = { name: name2, nameNode: target, start, end, head, exported };
    defineOptions(options2, named2, declared.at, found);
    found.visitMaybe(annotation, partOf(at, definition));
    found.visit(value, partOf(at, definition));
    return;
  }
  const wrapped2 = held === null ? null : wrappedComponent(held, at, found);
  if (value !== null && wrapped2 !== null && isFunction(wrapped2)) {
    declared.at.scope.declare(name2, true);
    const named2 = { form: "function", name: name2, nameNode: target, start, end, head };
    const more = { exported, is_component: isComponentName(name2), ...headed(declared) };
    defineFunction(wrapped2, named2, declared.at, found, more);
    found.visitMaybe(annotation, partOf(at, definition));
    found.visit(value, partOf(at, definition));
    return;
  }
  if (held?.type === "class") {
    declared.at.scope.declare(name2, true);
    const named2 = { name: name2, nameNode: target, start, end, head, exported, decorators: [] };
    defineClass(held, named2, declared.at, found);
    return;
  }
  declared.at.scope.declare(name2, false);
  tellType(declared, name2, value, at, found);
  if (declared.at.scope.isModule) {
    defineVariable(declared, target, value, name2, found);
    const within = inside(at, definition, name2, at.scope);
    found.visitMaybe(annotation, within);
    if (value !== null) visitObjectAs(value, within, found);
    return;
  }
  found.visitMaybe(annotation, at);
  if (value !== null) visitObjectAs(value, under(at, `${at.path}${name2}.`), found, at);
}
function headed({ prefix }) {
  return prefix === "" ? {} : { headPrefix: prefix };
}
function tellType(declared, name2, value, at, found) {
  const annotation = annotationOf(declared.node);
  const isDefinition = declared.at.scope.isModule;
  const place2 = insideScope(at, at.scope, declared.at.block);
  if (annotation !== null) {
    if (!isDefinition) found.type(name2, annotation, "annotation", declared.node, place2);
  } else if (value !== null) flowTo(name2, { node: value }, declared.node, place2, found);
}
function defineVariable(declared, nameNode, value, name2, found) {
  const { node, start, end, head, exported, at } = declared;
  const told2 = value === null || nameNode.parent !== node ? null : typeOfValue(value);
  const annotation = nameNode.parent === node ? annotationOf(node) : null;
  const beforeValue = (node.child("type_annotation") ?? node.first ?? node).end;
  return define(found, at, {
    form: "variable",
    name: name2,
    nameNode,
    start,
    end,
    head: [head, value !== null && isLong(found, value) ? beforeValue : node.end],
    ...headed(declared),
    exported,
    value_type: annotation ?? (told2 === null || told2.source === "return" ? null : told2.type),
    scope: "module",
    is_component: value !== null && isComponentValue(name2, unwrapped2(value), at, found),
    is_constant: declared.keyword === "const" || declared.keyword === "using"
  });
}
function visitPattern(declared, target, value, at, found) {
  const annotation = annotationOf(declared.node);
  const given = annotation !== null ? { typed: annotation } : value && { node: value };
  const place2 = insideScope(at, declared.at.scope, declared.at.block);
  for (const { node, name: name2, way } of namesOf(target, at, found)) {
    declared.at.scope.declare(name2, false);
    if (given !== null) flowTo(name2, way && takenFrom(given, way), declared.node, place2, found);
    if (declared.at.scope.isModule) defineVariable(declared, node, value, name2, found);
  }
  found.visitMaybe(declared.node.child("type_annotation"), at);
  found.visitMaybe(value, at);
}
var variableVisitors = /* @__PURE__ */ new Map([
  ["lexical_declaration", declaration3],
  ["variable_declaration", declaration3],
  ["using_declaration", declaration3]
]);

// source/languages/typescript/extract.ts
var visitors = new Map([
  ...blockVisitors,
  ...callVisitors,
  ...classVisitors,
  ...enumVisitors,
  ...exportVisitors,
  ...functionVisitors,
  ...importVisitors,
  ...nameVisitors,
  ...objectVisitors,
  ...typeVisitors,
  ...variableVisitors
]);
var leaves = new Set(
  "identifier property_identifier private_property_identifier type_identifier predefined_type string number regex this super true false null undefined import shorthand_property_identifier statement_identifier comment shorthand_property_identifier_pattern accessibility_modifier override_modifier optional_chain jsx_text string_fragment escape_sequence html_character_reference empty_statement literal_type this_type hash_bang_line".split(" ")
);
function extract(language, file) {
  return factsOf(language, file, (found) => found.walk(topOfFile()));
}
function extractComponentFile(language, file, component) {
  return factsOf(language, file, (found) => walkComponentFile(found, component));
}
function factsOf(language, file, walk) {
  const source = new SyntaxSource(file.text, file.tree, leaves);
  const found = new Findings(source, visitors);
  walk(found);
  const { definitions, numbers } = ordered(found.definitions);
  markExported(definitions, found);
  const { references, calls } = referencesOf2(found, numbers);
  return {
    language,
    docstring: docOfFile(file.text),
    lines: source.lineCount,
    definitions,
    references,
    imports: renumbered(inOrder(found.imports), numbers),
    exports: exportsOf2(found, numbers),
    types: renumbered(inOrder(found.types.map(withLocal)), numbers),
    flows: neededFlows(found, { definitions: numbers, calls }),
    comments: tagsIn(file, source, definitions),
    tests: testsOf2(file.path, found),
    routes: routesOf2(file.path, found, numbers),
    keys: [],
    syntax_errors: file.root.hasError ? errorLines(file.root) : []
  };
}
function inOrder(facts) {
  return facts.sort((a, b) => a.offset - b.offset).map(({ fact }) => fact);
}
function exportsOf2(found, numbers) {
  const facts = inOrder(found.exports);
  for (const fact of facts) if (fact.definition !== void 0) fact.definition = numbers[fact.definition];
  return facts;
}
function withLocal(told2) {
  const { type, source } = told2.fact;
  const root = source === "annotation" || source === "parameter" ? null : /^[^\s.?!]+/.exec(type)?.[0];
  told2.fact.local = root != null && told2.scope.lookup(root) === "local";
  return told2;
}
function renumbered(facts, numbers) {
  for (const fact of facts) if (fact.from !== null) fact.from = numbers[fact.from] ?? null;
  return facts;
}
function ordered(found) {
  const old = new Map(found.map((one, index) => [one, index]));
  const sorted = [...found].sort((a, b) => a.offset - b.offset);
  const numbers = [];
  sorted.forEach((one, index) => {
    numbers[old.get(one) ?? index] = index;
  });
  const seen = /* @__PURE__ */ new Map();
  const definitions = sorted.map(({ fact }) => {
    const key = `${fact.form} ${fact.qualname}`;
    fact.ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, fact.ordinal);
    if (fact.parent !== null) fact.parent = numbers[fact.parent] ?? null;
    return fact;
  });
  return { definitions, numbers };
}
function markExported(definitions, found) {
  const names = new Set(
    found.exports.flatMap(({ fact }) => fact.module === null && fact.local !== null ? [fact.local] : [])
  );
  for (const one of definitions)
    if (one.parent === null && (one.block ?? null) === null && names.has(one.qualname)) one.exported = true;
}
function referencesOf2(found, numbers) {
  const references = [];
  const calls = /* @__PURE__ */ new Map();
  const kept = [];
  for (const use of found.uses.sort((a, b) => a.offset - b.offset)) {
    const from = use.definition === null ? null : numbers[use.definition] ?? null;
    const reference = referenceOf(use, from, found.source);
    if (reference === null) continue;
    if (use.kind === "call" || use.kind === "new") calls.set(use.node, references.length);
    references.push(reference);
    kept.push(use);
  }
  const values = { found, numbers: { definitions: numbers, calls } };
  references.forEach((reference, index) => {
    const use = kept[index];
    if (use) tellReceiver(reference, use, values);
  });
  return { references, calls };
}
function tellReceiver(reference, { receiver, name: name2, scope, node }, values) {
  const { receiver_form: form, local, kind } = reference;
  const root = receiver === null ? name2 : receiver.root;
  if (local && root !== null) scope.binding(root)?.need(root);
  if (receiver?.node && (form === "call" || form === "other" || form === "this")) {
    const on = valueFact(receiver.node, scope, values, true);
    if (on !== null && typeof on !== "string") reference.on = on;
  }
  const list = kind === "call" || kind === "new" ? node.child("type_arguments") : null;
  if (list !== null) reference.types = folded(list.text.slice(1, -1), 300);
}
function referenceOf(use, from, source) {
  const { kind, name: name2, receiver } = use;
  const root = receiver === null ? name2 : receiver.root;
  const binding = root === null ? null : use.scope.lookup(root);
  const form = receiver === null ? "none" : receiver.form;
  if (!isKept(kind, form, binding)) return null;
  const { node } = use;
  const isName2 = kind !== "call" && kind !== "new" && kind !== "jsx" && kind !== "decorator";
  return {
    kind,
    name: name2,
    receiver: receiver === null ? null : receiver.text,
    receiver_form: form,
    from,
    line: source.lineOf(use.offset),
    column: source.columnOf(use.offset),
    expression: receiver === null && isName2 ? name2 : folded(source.text.slice(node.start, node.end), 120),
    local: binding === "local",
    arguments: use.arguments,
    on: void 0,
    callee: void 0,
    types: void 0,
    values: void 0
  };
}
function isKept(kind, form, binding) {
  if (kind === "type") return form !== "none" || binding !== "local";
  if (kind !== "read" && kind !== "write" && kind !== "pass") return true;
  if (form === "none" || form === "path") return binding !== null && binding !== "local";
  return form === "this" || form === "super";
}
function tagsIn(file, source, definitions) {
  if (!mayHoldTags(file.text)) return [];
  const comments2 = file.root.descendantsOfType("comment").flatMap((one) => one === null ? [] : [one]);
  return comments2.flatMap(
    (one) => tagsOf(file.text.slice(one.startIndex, one.endIndex), one.startIndex).map(({ offset, ...told2 }) => {
      const [line, column] = [source.lineOf(offset), source.columnOf(offset)];
      return { ...told2, line, column, from: enclosing(definitions, line, column) };
    })
  );
}
function enclosing(definitions, line, column) {
  for (let index = definitions.length - 1; index >= 0; index -= 1) {
    const span = definitions[index]?.span;
    if (span === void 0) continue;
    const begins = span.start_line < line || span.start_line === line && span.start_column <= column;
    const ends = span.end_line > line || span.end_line === line && span.end_column > column;
    if (begins && ends) return index;
  }
  return null;
}
function errorLines(root) {
  const lines = /* @__PURE__ */ new Set();
  const open = [root];
  for (let node = open.pop(); node !== void 0 && lines.size < 1e3; node = open.pop()) {
    if (node.isError || node.isMissing) lines.add(node.startPosition.row + 1);
    for (const child2 of node.children) if (child2?.hasError || child2?.isMissing) open.push(child2);
  }
  return [...lines].sort((a, b) => a - b).slice(0, 20);
}

// source/languages/typescript/repair.ts
function readable2(text) {
  return text.includes("using") ? text.replace(USING, (words) => "const".padEnd(words.length)) : text;
}
var USING = /(?<![\p{ID_Continue}$#.])(?:await[ \t]+)?using(?=[ \t]+(?!(?:as|in|instanceof|of|satisfies)\b)[\p{ID_Start}$_][\p{ID_Continue}$]*\s*(?:=(?![=>])|:|of\b))/gu;
function repair(text) {
  const repaired = separated(text).replace(/^(\s*export\s+)type(?=\s*\*)/gm, "$1    ");
  return repaired === text ? null : repaired;
}
function separated(text) {
  const units = [];
  let done = 0;
  for (const match of text.matchAll(/\n[ \t]+(?=<(?:[A-Za-z_$]|[ \t]*\r?\n))/g)) {
    const end = match.index + match[0].length;
    if (!endsMember(text, match.index)) continue;
    units.push(text.slice(done, end - 1), ";");
    done = end;
  }
  return units.join("") + text.slice(done);
}
function endsMember(text, offset) {
  let end = offset;
  while (end > 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line !== "" && !/^(?:\/\/|\/?\*)/.test(line))
      return /[\w$>\])}'"`]$/.test(line.replace(/\s*\/\/[^'"`]*$/, ""));
    end = start - 1;
  }
  return false;
}

// source/languages/typescript/index.ts
var shared2 = {
  version: 15,
  ecosystem: "npm",
  isTestPath: isTestFile
};
var typescript = {
  name: "typescript",
  extensions: [".d.ts", ".d.mts", ".d.cts", ".ts", ".mts", ".cts"],
  grammar: "tree-sitter-typescript.wasm",
  ...shared2,
  readable: readable2,
  repair,
  extract: (file) => extract("typescript", file)
};
var tsx = {
  name: "tsx",
  extensions: [".tsx"],
  grammar: "tree-sitter-tsx.wasm",
  ...shared2,
  readable: readable2,
  repair,
  extract: (file) => extract("tsx", file)
};
var javascript = {
  name: "javascript",
  extensions: [".mjs", ".cjs", ".js"],
  grammar: "tree-sitter-javascript.wasm",
  ...shared2,
  extract: (file) => extract("javascript", file)
};
var jsx = {
  name: "jsx",
  extensions: [".jsx"],
  grammar: "tree-sitter-javascript.wasm",
  ...shared2,
  extract: (file) => extract("jsx", file)
};

// source/languages/vue/tags.ts
var NAME = /<\/?([A-Za-z][^\s/>]*)/y;
var ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(\s*=\s*)?/y;
var QUOTED = /"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)/y;
function tagAt(text, start) {
  NAME.lastIndex = start;
  const name2 = NAME.exec(text)?.[1];
  if (name2 === void 0) return null;
  const attributes = [];
  let at = NAME.lastIndex;
  for (; ; ) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (!match?.[1]) break;
    const begins = ATTRIBUTE.lastIndex - match[0].length + match[0].indexOf(match[1]);
    at = ATTRIBUTE.lastIndex;
    let value = { equals: -1, from: at, to: at };
    if (match[2] !== void 0) {
      QUOTED.lastIndex = at;
      const given = QUOTED.exec(text);
      const equals = text.indexOf("=", begins + match[1].length);
      if (given) {
        const quote = given[3] === void 0 ? 1 : 0;
        value = { equals, from: at + quote, to: QUOTED.lastIndex - quote };
        at = QUOTED.lastIndex;
      }
    }
    attributes.push({ name: match[1], start: begins, ...value });
  }
  const close2 = text.indexOf(">", at);
  const end = close2 < 0 ? text.length : close2 + 1;
  return {
    name: name2,
    start,
    end,
    isEnd: text[start + 1] === "/",
    isSelfClosing: close2 > 0 && text[close2 - 1] === "/",
    attributes
  };
}
function commentEnd(text, start) {
  if (!text.startsWith("<!--", start)) return null;
  const end = text.indexOf("-->", start + 4);
  return end < 0 ? text.length : end + 3;
}
function attributeOf(text, { attributes }, name2) {
  const found = attributes.find((one) => one.name === name2);
  return found === void 0 || found.equals < 0 ? null : text.slice(found.from, found.to);
}

// source/languages/vue/blocks.ts
function blocksOf(text) {
  const blocks = [];
  for (let at = text.indexOf("<"); at >= 0; ) {
    const behind = commentEnd(text, at);
    const tag = behind === null ? tagAt(text, at) : null;
    if (tag === null || tag.isEnd) {
      at = text.indexOf("<", behind ?? at + 1);
      continue;
    }
    const block2 = blockOf(text, tag);
    blocks.push(block2);
    at = text.indexOf("<", block2.end);
  }
  return blocks;
}
function blockOf(text, tag) {
  const name2 = tag.name.toLowerCase();
  const lang = attributeOf(text, tag, "lang");
  const isMarkup = name2 === "template" && (lang === null || lang === "html");
  const to = tag.isSelfClosing ? tag.end : isMarkup ? templateEnd(text, tag.end) : rawEnd(text, tag.end, name2);
  const close2 = text.indexOf(">", to);
  return {
    kind: name2 === "script" ? "script" : isMarkup ? "template" : "other",
    tag,
    from: tag.end,
    to,
    end: tag.isSelfClosing ? tag.end : close2 < 0 ? text.length : close2 + 1,
    lang,
    src: attributeOf(text, tag, "src"),
    isSetup: name2 === "script" && tag.attributes.some((one) => one.name === "setup")
  };
}
function rawEnd(text, from, name2) {
  const close2 = new RegExp(`</${name2.replace(/[^\w-]/g, "\\$&")}(?=[\\s/>])`, "gi");
  close2.lastIndex = from;
  return close2.exec(text)?.index ?? text.length;
}
function templateEnd(text, from) {
  let depth = 1;
  for (let at = text.indexOf("<", from); at >= 0; ) {
    const behind = commentEnd(text, at);
    const tag = behind === null ? tagAt(text, at) : null;
    if (tag?.name.toLowerCase() === "template") {
      if (tag.isEnd) depth -= 1;
      else if (!tag.isSelfClosing) depth += 1;
      if (depth === 0) return at;
    }
    at = text.indexOf("<", behind ?? tag?.end ?? at + 1);
  }
  return text.length;
}

// source/languages/vue/component-name.ts
function componentName(path) {
  const parts = path.split("/");
  const file = (parts.pop() ?? "").replace(/\.vue$/i, "");
  const name2 = /^index$/i.test(file) ? parts.pop() ?? file : file;
  if (!/^[\w-]+$/.test(name2)) return name2;
  return name2.replace(/(?:^|-+)(\w)/g, (_, letter) => letter.toUpperCase());
}

// source/languages/vue/native-tags.ts
var NATIVE = new Set(
  "html body base head link meta style title address article aside footer header hgroup h1 h2 h3 h4 h5 h6 nav section div dd dl dt figcaption figure picture hr img li main ol p pre ul a b abbr bdi bdo br cite code data dfn em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr area audio map track video embed object param source canvas script noscript del ins caption col colgroup table thead tbody td th tr button datalist fieldset form input label legend meter optgroup option output progress select textarea details dialog menu summary template blockquote iframe tfoot slot component svg animate circle defs desc ellipse filter g image line marker mask path pattern polygon polyline rect set stop switch symbol text tspan use view discard hatch mesh metadata math mi mn mo ms mtext mrow mfrac msqrt".split(" ")
);
function isNative(name2) {
  return NATIVE.has(name2);
}

// source/languages/vue/template.ts
function scriptsOf(text, { from, to }) {
  const found = [];
  const open = [{ name: "", locals: [], isPlain: false }];
  let at = from;
  while (at < to) {
    const next = text.indexOf("<", at);
    const around3 = open.at(-1);
    const until = next < 0 || next > to ? to : next;
    const inside2 = around3 && !around3.isPlain ? interpolation(text, at, until, to) : null;
    if (around3 && inside2) {
      add(text, { kind: "expression", ...inside2, isPassed: false, locals: around3.locals }, found);
      at = inside2.to + 2;
      continue;
    }
    if (until >= to) break;
    const behind = commentEnd(text, until);
    const tag = behind === null ? tagAt(text, until) : null;
    at = Math.min(behind ?? tag?.end ?? until + 1, to);
    if (tag?.isEnd) close(open, tag.name);
    else if (tag !== null && around3) {
      const inner = element3(text, tag, around3, found);
      if (!tag.isSelfClosing && !VOID.has(tag.name)) open.push(inner);
    }
  }
  return found.sort((a, b) => a.from - b.from);
}
var VOID = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" ")
);
function close(open, name2) {
  const index = open.findLastIndex((one) => one.name === name2);
  if (index > 0) open.length = index;
}
function interpolation(text, from, until, to) {
  const start = text.indexOf("{{", from);
  if (start < 0 || start >= until) return null;
  const end = text.indexOf("}}", start + 2);
  return end < 0 || end >= to ? null : { from: start + 2, to: end };
}
function element3(text, tag, { locals, isPlain }, found) {
  const { name: name2, attributes } = tag;
  if (isPlain || attributes.some((one) => one.name === "v-pre")) return { name: name2, locals, isPlain: true };
  const inner = [...locals];
  for (const one of attributes) {
    if (one.name === "v-for")
      inner.push(...namesIn(text.slice(one.from, loopSource(text, one)?.keyword ?? one.to)));
    else if (SLOT.test(one.name)) inner.push(...namesIn(text.slice(one.from, one.to)));
  }
  if (!isNative(name2)) {
    const from = tag.start + 1;
    found.push({ kind: "tag", from, to: from + name2.length, isPassed: false, locals });
  }
  for (const one of attributes) directive(text, one, inner, found);
  return { name: name2, locals: inner, isPlain: false };
}
var SLOT = /^(?:#|v-slot\b|slot-scope$|scope$)/;
function directive(text, one, locals, found) {
  const { name: name2, equals } = one;
  if (equals < 0 || !/^(?:v-|[:@.])/.test(name2) || SLOT.test(name2)) return;
  if (name2 === "v-for") {
    const source = loopSource(text, one);
    if (source !== null)
      add(text, { kind: "expression", from: source.from, to: one.to, isPassed: false, locals }, found);
    return;
  }
  const { from, to } = one;
  if (/[\r\n]/.test(text[to] ?? "\n")) return;
  const isHandler = /^(?:@|v-on:)/.test(name2);
  const kind = isHandler && isStatements(text.slice(from, to)) ? "statement" : "expression";
  const isPassed = isHandler || /^(?:[:.]|v-(?:bind|model|on)\b)/.test(name2);
  add(text, { kind, from, to, isPassed, locals }, found);
}
function loopSource(text, { from, to }) {
  const match = /\s(?:in|of)\s/.exec(text.slice(from, to));
  if (match === null) return null;
  return { keyword: from + match.index, from: from + match.index + match[0].length };
}
function isStatements(text) {
  if (/^\s*(?:async\s+)?function\b/.test(text)) return false;
  return text.includes(";") || /^\s*(?:if|for|while|const|let|try|return|await)\b/.test(text);
}
function namesIn(pattern) {
  return [...pattern.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*(?!\s*:|[\p{ID_Continue}$])/gu)].map(
    ([name2]) => name2
  );
}
function add(text, script, found) {
  const written = text.slice(script.from, script.to);
  if (written.trim() !== "" && isClosed(written)) found.push(script);
}
function isClosed(text) {
  const open = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] ?? "";
    if (unit === '"' || unit === "'" || unit === "`") {
      at = stringEnd(text, at, unit);
      if (at < 0) return false;
    } else if (unit === "/" && (text[at + 1] === "/" || text[at + 1] === "*")) return false;
    else if (OPENING.includes(unit)) open.push(unit);
    else if (CLOSING2.includes(unit) && open.pop() !== OPENING[CLOSING2.indexOf(unit)]) return false;
  }
  return open.length === 0;
}
var OPENING = "([{";
var CLOSING2 = ")]}";
function stringEnd(text, start, quote) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

// source/languages/vue/script-text.ts
function scriptText(text) {
  const out = new Overlay(text);
  let behind = 0;
  for (const block2 of blocksOf(text)) {
    comments(out, text, behind, block2.tag.start);
    if (block2.kind === "template") comments(out, text, block2.from, block2.to);
    behind = block2.end;
    out.put(block2.tag.start, ";");
    if (block2.kind === "script") out.keep(block2.from, block2.to);
    else if (block2.kind === "template")
      for (const script of scriptsOf(text, block2)) statement3(out, text, script);
    if (block2.to < text.length && block2.to > block2.from) terminate(out, text, block2);
  }
  comments(out, text, behind, text.length);
  return out.text();
}
function terminate(out, text, { from, to }) {
  if (!/[\r\n]\s*$/.test(text.slice(Math.max(from, to - 200), to))) {
    out.put(to, ";");
    return;
  }
  out.put(to, "{");
  out.put(to + 1, "}");
}
function comments(out, text, from, to) {
  for (let start = text.indexOf("<!--", from); start >= 0 && start < to; ) {
    const end = commentEnd(text, start) ?? to;
    if (end > to || !text.startsWith("-->", end - 3)) return;
    out.put(start, "/");
    out.put(start + 1, "*");
    out.put(end - 2, "*");
    out.put(end - 1, "/");
    start = text.indexOf("<!--", end);
  }
}
function statementStart(text, { kind, from }) {
  if (kind === "tag") return from;
  return isLineEnd(text[from - 1]) ? from - 2 : from - 1;
}
function statement3(out, text, script) {
  const { kind, from, to } = script;
  if (kind === "tag") {
    out.put(from - 1, ";");
    out.keep(from, to);
    for (const match of text.slice(from, to).matchAll(/[^\w$.]/g)) out.put(from + match.index, "_");
    out.put(to, ";");
    return;
  }
  const start = statementStart(text, script);
  const [open, close2] = kind === "statement" ? "{}" : "()";
  out.put(separator(text, start), ";");
  out.put(start, open ?? "");
  out.keep(from, to);
  out.decode(from, to);
  out.put(to, close2 ?? "");
  if (text.startsWith("}}", to)) out.put(to + 1, ";");
}
function separator(text, start) {
  let at = start - 1;
  while (/\s/.test(text[at] ?? "")) at -= 1;
  return at;
}
var ENTITIES = {
  "&quot;": '"',
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&#39;": "'",
  "&apos;": "'"
};
var Overlay = class {
  #given;
  #units;
  constructor(text) {
    this.#given = text;
    this.#units = Array.from(
      { length: text.length },
      (_, at) => isLineEnd(text[at]) ? text[at] ?? "" : " "
    );
  }
  put(at, unit) {
    if (at >= 0 && at < this.#units.length && !isLineEnd(this.#given[at])) this.#units[at] = unit;
  }
  keep(from, to) {
    for (let at = from; at < to; at += 1) this.#units[at] = this.#given[at] ?? " ";
  }
  /** Puts what entities stand for behind blanks in their place. */
  decode(from, to) {
    const given = this.#given.slice(from, to);
    if (!given.includes("&")) return;
    for (const match of given.matchAll(/(?:&(?:quot|amp|lt|gt|apos|#39);)+/g)) {
      const meant = match[0].replace(/&[^;]+;/g, (one) => ENTITIES[one] ?? " ").padStart(match[0].length);
      for (let index = 0; index < meant.length; index += 1)
        this.put(from + match.index + index, meant[index] ?? " ");
    }
  }
  text() {
    return this.#units.join("");
  }
};
function isLineEnd(unit) {
  return unit === "\n" || unit === "\r" || unit === "\u2028" || unit === "\u2029";
}

// source/languages/vue/extract.ts
function extract2(file) {
  return extractComponentFile("vue", file, componentFile(file));
}
function componentFile({ path, text }) {
  const blocks = blocksOf(text);
  const scripts = blocks.filter(({ kind }) => kind === "script");
  const main = scripts.find(({ isSetup }) => isSetup) ?? scripts[0] ?? blocks[0];
  const templates = blocks.filter(({ kind }) => kind === "template");
  return {
    name: optionName(text, main) ?? componentName(path),
    head: main ? [main.tag.start, main.tag.end] : [0, 0],
    end: text.trimEnd().length,
    scripts: scripts.map(({ from, to, isSetup, src }) => ({ from, to, isSetup, src })),
    pieces: templates.flatMap(
      (block2) => scriptsOf(text, block2).map((script) => ({
        ...script,
        start: statementStart(text, script),
        name: text.slice(script.from, script.to)
      }))
    )
  };
}
function optionName(text, main) {
  if (!main?.isSetup) return null;
  const script = text.slice(main.from, main.to);
  return /\bdefineOptions\(\s*\{[^}]*?\bname\s*:\s*(['"])([^'"\n]+)\1/.exec(script)?.[2] ?? null;
}

// source/languages/vue/index.ts
var { ecosystem, isTestPath: isTestPath2, repair: repair2, version } = typescript;
var vue = {
  name: "vue",
  extensions: [".vue"],
  grammar: "tree-sitter-typescript.wasm",
  otherGrammar: {
    grammar: "tree-sitter-tsx.wasm",
    reads: (text) => blocksOf(text).some(({ kind, lang }) => kind === "script" && /^[jt]sx$/.test(lang ?? ""))
  },
  // Raised with what extracts its scripts, and on its own.
  version: version * 100 + 2,
  ...ecosystem !== void 0 && { ecosystem },
  ...isTestPath2 && { isTestPath: isTestPath2 },
  readable: (text) => typescript.readable?.(scriptText(text)) ?? scriptText(text),
  ...repair2 && { repair: repair2 },
  extract: extract2
};

// source/languages/registry.ts
var languages = [
  typescript,
  tsx,
  javascript,
  jsx,
  vue,
  python,
  json,
  toml,
  dotenv
];
function languageOf(path) {
  return languageAmong(languages, path);
}

// source/parser.ts
import { createRequire } from "node:module";
import { Language as Grammar, Parser as Parser2 } from "web-tree-sitter";

// schema/errors.ts
var CodewalkError = class extends Error {
  code;
  suggestion;
  providedInput;
  /** Milliseconds until another try may succeed; null: trying again does not help by itself. */
  retryAfterMs;
  /** The clients and the engine are bundles of their own, each with its copy of this class: they mean the same. */
  static [Symbol.hasInstance](value) {
    return value instanceof Error && value.name === "CodewalkError";
  }
  constructor(code, message, details = {}) {
    super(message, details.cause === void 0 ? void 0 : { cause: details.cause });
    this.name = "CodewalkError";
    this.code = code;
    this.suggestion = details.suggestion ?? "";
    this.providedInput = details.input ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
  /** The same error as the body that every face answers with. */
  toBody() {
    return {
      error: this.message,
      error_code: this.code,
      suggestion: this.suggestion,
      provided_input: this.providedInput,
      ...this.retryAfterMs === null ? {} : { retry_after: this.retryAfterMs }
    };
  }
};

// schema/limit.ts
function of(values, unit, source, doc) {
  return { ...values, unit, source, doc };
}

// schema/agent-limits.ts
var MIB = 1024 * 1024;
var AGENT_LIMITS = {
  // What agents are told
  hookAnswer: of({ default: 300 }, "ms", "C-03", "A hook that answers stays silent past this"),
  hookPayload: of(
    { max: 4 * MIB },
    "bytes",
    "own",
    "A hook with a larger payload records it, and asks nothing"
  ),
  hookWork: of(
    { max: 3e4 },
    "ms",
    "own",
    "What finding an answer may take when its hook has gone: the first reads a history"
  ),
  hookRecord: of({ max: 100 }, "ms", "C-02", "CPU time of a hook that only records, under Node"),
  initialize: of({ max: 300 }, "ms", "C-09", "Goal: from process start to the answer to `initialize`"),
  recalledFailures: of({ max: 3 }, "items", "C-06", "Earlier failures shown after a failure"),
  recalledText: of({ max: 1500 }, "characters", "C-06", "Characters of that recall"),
  repeatAge: of(
    { max: 36e5 },
    "ms",
    "own",
    "An older failure is none that is about to be repeated: people change things, too"
  ),
  fileContextText: of({ max: 1e3 }, "characters", "own", "Context of a file that is read or edited"),
  hookContext: of(
    { max: 1500 },
    "tokens",
    "own",
    "What hooks tell one session; beyond it they speak of failures alone"
  ),
  hookSession: of({ max: 4500 }, "tokens", "own", "What hooks tell one session, failures included"),
  toolListMarkdown: of({ max: 2500 }, "tokens", "C-11", "`tools/list` of profile core in Markdown mode"),
  toolListJson: of({ max: 6e3 }, "tokens", "C-11", "`tools/list` of profile core in JSON mode"),
  sweepAfter: of(
    { default: 60 * 60 * 1e3 },
    "ms",
    "C-04",
    "A session that is silent for longer has left its tasks: they end as aborted"
  ),
  autoIndexFiles: of(
    { default: 2e4 },
    "items",
    "own",
    "A project with more files is not indexed just because an agent works in it"
  ),
  // The journal
  journalFile: of(
    { max: 32 * MIB },
    "bytes",
    "own",
    "A larger file in the journal is set aside, and counted"
  ),
  journalBatch: of({ max: 1e3 }, "items", "own", "Events of one root that are recorded in one commit"),
  journalBatchBytes: of({ max: 8 * MIB }, "bytes", "own", "The same, by what their files hold"),
  journalPoll: of(
    { default: 2e3 },
    "ms",
    "own",
    "Between two looks into the journal where the system tells of nothing new"
  ),
  journalTries: of(
    { max: 3 },
    "items",
    "own",
    "How often an event that brings its batch down is tried by itself before it is set aside"
  ),
  archiveSegment: of(
    { max: 16 * MIB },
    "bytes",
    "own",
    "Larger than this no file of an archive begins to grow"
  )
};

// schema/cypher-limits.ts
var MIB2 = 1024 * 1024;
var CYPHER_LIMITS = {
  cypherRows: of({ default: 50, min: 1, max: 1e3 }, "rows", "S0-19", "query_cypher.limit"),
  cypherNesting: of({ max: 200 }, "levels", "own", "How deep brackets of a Cypher query may be nested"),
  cypherParts: of(
    { max: 400 },
    "items",
    "own",
    "Clauses, nodes, relationships and columns that a Cypher query may have in all"
  ),
  cypherHeight: of({ max: 600 }, "levels", "own", "How deep the parts of a Cypher query may hold each other"),
  cypherListItems: of({ max: 4e6 }, "items", "own", "Items of one list that a Cypher query makes"),
  cypherTextLength: of(
    { max: 8 * MIB2 },
    "characters",
    "own",
    "Length of one text that a Cypher query makes or searches"
  ),
  cypherPatternSize: of(
    { max: 2e3 },
    "characters",
    "own",
    "Size of one pattern of =~, its counted repeats written out"
  ),
  cypherPatternWork: of(
    { max: 4e6 },
    "characters",
    "own",
    "Size of a pattern of =~ times the length of a text that it is held against"
  ),
  cypherTime: of({ default: 1e4, min: 1 }, "ms", "own", "Deadline of a Cypher query"),
  cypherMemory: of(
    { default: 256 * MIB2 },
    "bytes",
    "own",
    "What a Cypher query may hold back: groups, sorted rows, lists, paths"
  ),
  cypherHops: of(
    { default: 32 },
    "hops",
    "own",
    "How far a Cypher pattern without an upper bound is followed; an answer that was cut by it says so"
  ),
  cypherCounted: of(
    { max: 1e4 },
    "rows",
    "own",
    "Rows beyond `limit` that are counted; `total_count` is then at least as many"
  ),
  cypherPlans: of({ max: 200 }, "items", "own", "Cypher queries whose plans are kept, the last used ones"),
  cypherPlanText: of({ max: 5e5 }, "characters", "own", "Text of all queries whose plans are kept")
};

// schema/embedding-limits.ts
var MIB3 = 1024 * 1024;
var EMBEDDING_LIMITS = {
  embeddingText: of({ max: 4e3 }, "characters", "own", "A longer text is cut before it is embedded"),
  embeddingBatch: of({ max: 64 }, "items", "own", "Texts in one request, and vectors in one commit"),
  embeddingWait: of({ max: 3e4 }, "ms", "own", "What the endpoint gets for one request of an index"),
  embeddingTries: of({ max: 3 }, "items", "own", "Requests for one batch while the endpoint fails"),
  embeddingPause: of(
    { default: 250, max: 5e3 },
    "ms",
    "own",
    "Wait before the second request for a batch, doubled before each further one"
  ),
  embeddingQueryWait: of(
    { max: 1500 },
    "ms",
    "own",
    "What the endpoint gets for the query of a search, which then goes on without it"
  ),
  embeddingRest: of(
    { max: 3e4 },
    "ms",
    "own",
    "An endpoint that failed a search is not asked by searches for as long"
  ),
  embeddingDelay: of(
    { default: 3e3 },
    "ms",
    "own",
    "Rest after the last change of a graph before its new texts are embedded"
  ),
  embeddingAnswer: of({ max: 32 * MIB3 }, "bytes", "own", "A longer answer of the endpoint is not read"),
  embeddingDimension: of({ max: 8192 }, "items", "own", "Numbers in one vector"),
  embeddingQueries: of({ max: 256 }, "items", "own", "Queries whose vectors are kept in memory")
};

// schema/freshness-limits.ts
var FRESHNESS_LIMITS = {
  freshLook: of(
    { default: 50 },
    "ms",
    "P-01",
    "Looking for changed files before an answer; then it is `unchecked`"
  ),
  freshFirstLook: of(
    { default: 2e3 },
    "ms",
    "own",
    "The same before the first answer of a graph that was just opened"
  ),
  freshWait: of(
    { default: 2e3 },
    "ms",
    "P-01",
    "Wait for changed files to be indexed; then the answer names them"
  ),
  fenceWait: of(
    { max: 100 },
    "ms",
    "own",
    "What a watcher gets to tell what it has; then the files are looked at"
  ),
  firstIndexWait: of(
    { default: 1e4 },
    "ms",
    "own",
    "A question waits so long for the index that it began"
  ),
  pendingFiles: of({ max: 20 }, "rows", "own", "Files that an answer names as pending")
};

// schema/limits.ts
var MIB4 = 1024 * 1024;
var LIMITS = {
  // Structural queries
  callersDepth: of({ default: 1, min: 1, max: 5 }, "hops", "S0-02", "query_callers.max_depth"),
  hierarchyDepth: of({ default: 10, min: 1, max: 10 }, "hops", "S0-06", "query_hierarchy.max_depth"),
  callGraphDepth: of({ default: 3, min: 1, max: 5 }, "hops", "S0-15", "query_call_graph.max_depth"),
  callGraphNodes: of({ default: 50, min: 1, max: 100 }, "nodes", "S0-16", "query_call_graph.max_nodes"),
  ...CYPHER_LIMITS,
  queryRows: of({ max: 100 }, "rows", "S0-59", "Pre-built queries are cut here; `truncated` says so"),
  nodeEdges: of({ max: 5 }, "rows", "own", "Edges of one type and direction that graph_node shows"),
  neighbours: of({ max: 10 }, "nodes", "S1-21", "Graph neighbours that a search hit shows"),
  // Context, search and packs
  contextRadius: of({ default: 1, min: 0, max: 5 }, "hops", "S3-14", "graph_context_for_files.radius"),
  contextRelated: of({ max: 20 }, "rows", "own", "Nearest files that a context names as related"),
  contextRelatedSymbols: of({ max: 30 }, "rows", "own", "Nearest symbols that a context names as related"),
  contextTests: of({ max: 20 }, "rows", "own", "Test files that a context names"),
  contextCommits: of({ max: 10 }, "rows", "own", "Commits that a context names as concepts, the latest"),
  contextSteps: of({ max: 10 }, "rows", "own", "Earlier steps that a context names, the latest"),
  explainDepth: of(
    { default: 6, min: 1, max: 12 },
    "hops",
    "own",
    "explain.max_depth: longest path looked for"
  ),
  explainEnds: of({ max: 20 }, "nodes", "own", "What one ambiguous name may lead to in explain"),
  explainEdges: of({ max: 50 }, "rows", "own", "Edges of one kind of answer that explain lists"),
  searchRows: of({ default: 20, min: 1, max: 50 }, "rows", "T", "search_code.limit"),
  attemptRows: of({ default: 5, min: 1, max: 50 }, "rows", "S3-11", "etg_query_similar_attempts.limit"),
  codebaseSeeds: of(
    { default: 8, min: 1, max: 100 },
    "rows",
    "S2-25",
    "query_codebase.k: seeds found by text"
  ),
  codebaseHops: of(
    { default: 1, min: 0, max: 5 },
    "hops",
    "S2-25",
    "query_codebase.hop: expansion around the seeds"
  ),
  codebaseNodes: of({ default: 25, min: 1, max: 100 }, "nodes", "S2-33", "query_codebase.max_nodes in tools"),
  packNodes: of(
    { default: 15, min: 1, max: 50 },
    "nodes",
    "S2-33",
    "pack_snippets.max_nodes in tools; 50 in the library"
  ),
  snippetContext: of(
    { default: 5, min: 0, max: 50 },
    "lines",
    "S2-33",
    "pack_snippets.context: lines around a span"
  ),
  snippetLines: of({ default: 60, min: 1, max: 400 }, "lines", "S2-33", "pack_snippets.max_lines"),
  snippetGap: of({ max: 2 }, "lines", "S2-32", "Spans of a file as near as this count as one in a pack"),
  // Answers
  lookupTokens: of({ default: 2e3, max: 2e4 }, "tokens", "P-02", "max_tokens of look-ups"),
  packTokens: of({ default: 6e3, max: 2e4 }, "tokens", "P-02", "max_tokens of packs"),
  answerRows: of(
    { max: 50 },
    "rows",
    "P-02",
    "Rows asked for with `limit` that keep id, score, path and lines"
  ),
  descriptionLead: of(
    { max: 160 },
    "characters",
    "C-08",
    "The part of a tool description that every client shows"
  ),
  // Texts: longer ones are cut and marked, tools of M refuse them (X-28)
  memoryTitle: of({ max: 500 }, "characters", "X-28", "Title of a memory"),
  memoryContent: of({ max: 5e4 }, "characters", "X-28", "Content of a memory"),
  memorySummary: of({ max: 1e3 }, "characters", "X-28", "Summary of a memory"),
  memoryTag: of({ max: 100 }, "characters", "X-28", "One tag"),
  memoryTags: of({ max: 50 }, "items", "X-28", "Tags of a memory"),
  memoryQuery: of({ max: 1e3 }, "characters", "X-28", "Query of a memory tool"),
  memoryContext: of({ max: 1e4 }, "characters", "X-28", "Context of a memory or relation"),
  searchQuery: of(
    { max: 1e4 },
    "characters",
    "X-28",
    "Query of search_code and of attempts: cut and marked, never rejected"
  ),
  // Traces: longer texts are cut in the middle and marked with truncated_bytes (X-28)
  tracePrompt: of({ max: 2e4 }, "characters", "X-28", "Prompt or summary of a task, summary of a step"),
  traceMessage: of({ max: 1e4 }, "characters", "X-28", "Message of an error"),
  traceOutput: of({ max: 32e3 }, "characters", "X-28", "stdout, stderr or a log excerpt, each"),
  traceParams: of({ max: 32e3 }, "characters", "X-28", "Parameters of a tool, as JSON: its texts are cut"),
  traceName: of({ max: 500 }, "characters", "X-28", "Name of a tool, a tag, a role, a status, a path"),
  traceTags: of({ max: 50 }, "items", "X-28", "Tags of a task"),
  eventSymbols: of({ max: 200 }, "items", "own", "Symbols that one edit is said to touch: the first by id"),
  traceTests: of({ max: 50 }, "items", "own", "Names of failing tests of an error: the first ones told"),
  eventFiles: of({ max: 1e3 }, "items", "own", "Files that one event may name"),
  taskFiles: of(
    { max: 2e3 },
    "items",
    "own",
    "Paths in `files_touched` of a task or step: the first by name"
  ),
  taskConcepts: of({ max: 20 }, "items", "own", "Concepts that a prompt relates a task to: the first by id"),
  similarKeys: of(
    { max: 8 },
    "items",
    "own",
    "Failures of one step that make it like others: the first by name"
  ),
  similarSteps: of(
    { max: 256 },
    "items",
    "own",
    "Steps that share one failure or set of files and are joined"
  ),
  openTools: of(
    { max: 64 },
    "items",
    "own",
    "Uses of one tool, and steps that no step event began, that are open at once"
  ),
  openFailures: of(
    { max: 32 },
    "items",
    "own",
    "Commands and edits of a task that failed and did not pass since, and errors of each: the last ones"
  ),
  taskRows: of({ default: 20, min: 1, max: 200 }, "rows", "own", "tasks.limit"),
  impactRows: of({ default: 20, min: 1, max: 50 }, "rows", "P-02", "trace_impact.limit: rows of each list"),
  errorRows: of({ default: 20, min: 1, max: 200 }, "rows", "own", "errors.limit"),
  // Memory tools
  memorySearchRows: of({ default: 50, min: 1, max: 1e3 }, "rows", "M", "memory_search.limit"),
  memoryRecallRows: of({ default: 20, min: 1, max: 1e3 }, "rows", "M", "memory_recall.limit"),
  memoryRelatedDepth: of({ default: 2, min: 1, max: 5 }, "hops", "M", "memory_related.max_depth"),
  memoryRelatedRows: of({ max: 20 }, "rows", "S4-30", "Memories that memory_related answers with"),
  memoryActivityDays: of({ default: 7, min: 1, max: 365 }, "days", "M", "memory_activity.days"),
  memoryPathDepth: of({ default: 3, min: 1, max: 5 }, "hops", "M", "memory_path.max_depth"),
  memoryContextualDepth: of(
    { default: 2, min: 1, max: 5 },
    "hops",
    "M",
    "memory_contextual_search.max_depth"
  ),
  memoryContextualRows: of({ default: 20, min: 1, max: 1e3 }, "rows", "M", "memory_contextual_search.limit"),
  memoryImportance: of({ default: 0.5, min: 0, max: 1 }, "share", "S4-07", "Importance of a memory"),
  memoryConfidence: of(
    { default: 0.8, min: 0, max: 1 },
    "share",
    "S4-08",
    "Confidence of a memory or relation"
  ),
  relationStrength: of({ default: 0.5, min: 0, max: 1 }, "share", "M", "memory_link.strength"),
  // Discovery and extraction
  fileBytes: of(
    { default: 2 * MIB4, min: 1, max: 16 * MIB4 },
    "bytes",
    "own",
    "A larger file is skipped, and named: `max_file_bytes`"
  ),
  binaryProbe: of({ max: 8192 }, "bytes", "own", "A NUL byte among the first of these makes a file binary"),
  averageLineBytes: of(
    { max: 5e3 },
    "bytes",
    "own",
    "A file with longer lines on average is minified: not extracted"
  ),
  minifiedBytes: of({ min: 32 * 1024 }, "bytes", "own", "Smaller files are not tried for being minified"),
  signature: of({ max: 300 }, "characters", "own", "A longer signature is cut"),
  expression: of({ max: 120 }, "characters", "own", "A longer expression or receiver is cut in the evidence"),
  commentTag: of({ max: 200 }, "characters", "own", "A longer TODO text is cut"),
  syntaxErrors: of({ max: 20 }, "items", "own", "Lines of syntax errors that a file keeps"),
  extractionThreads: of(
    { max: 4 },
    "items",
    "own",
    "Worker threads that extract: one fewer than there are cores, and no more than these"
  ),
  fileTime: of({ max: 3e4 }, "ms", "own", "A file that takes longer to extract is named and passed over"),
  fileDeaths: of(
    { max: 2 },
    "items",
    "own",
    "A file that ended as many worker threads is named and passed over"
  ),
  parserMemory: of(
    { max: 256 * MIB4 },
    "bytes",
    "own",
    "A worker thread whose parser has grown beyond is replaced"
  ),
  smallJobFiles: of({ max: 8 }, "items", "own", "As few files are extracted without worker threads"),
  smallJobBytes: of({ max: 128 * 1024 }, "bytes", "own", "As few bytes are extracted without worker threads"),
  // History
  historyCommits: of({ max: 500 }, "items", "own", "The last commits of a root that become concepts"),
  historyChanges: of(
    { max: 5e3 },
    "items",
    "own",
    "The last commits of a root of which is kept what changed together"
  ),
  historyLines: of(
    { max: 1e3 },
    "items",
    "own",
    "The last commits of a root of which is kept which lines changed"
  ),
  historyFiles: of({ max: 30 }, "items", "own", "A commit that touched more files says nothing of any"),
  historyTime: of({ max: 5e3 }, "ms", "own", "What git gets to tell the history; else it stays as it was"),
  historyBytes: of({ max: 16 * MIB4 }, "bytes", "own", "A longer log is not read"),
  commitLabel: of({ max: 200 }, "characters", "own", "A longer subject of a commit is cut"),
  commitText: of({ max: 500 }, "characters", "own", "A longer first paragraph of a commit is cut"),
  keptFacts: of(
    { max: 4 * MIB4 },
    "bytes",
    "own",
    "Facts, as they are stored, whose tables stay in memory between two index runs of an open graph"
  ),
  indexedText: of(
    { max: 256 * 1024 },
    "characters",
    "own",
    "A longer file of a language that is not extracted is found by its path alone"
  ),
  // Runs of walkers, when the caller names no other bounds
  runTime: of({ default: 6e5 }, "ms", "own", "Deadline of a run"),
  runVisits: of({ default: 5e6 }, "items", "own", "Locations that a run may visit"),
  runBytes: of({ default: 256 * MIB4 }, "bytes", "own", "Bytes that a run may read and report"),
  runGrace: of(
    { max: 2e3 },
    "ms",
    "own",
    "What a run gets to end by itself after its deadline or being cancelled; then it is given up"
  ),
  runAttempts: of(
    { max: 10 },
    "items",
    "own",
    "Attempts of a writing run that loses conflicts, before CONFLICT"
  ),
  replayTurn: of(
    { max: 1e4 },
    "ms",
    "own",
    "Wait for the turn to replay; then it replays beside the others, since one of them may wait for it"
  ),
  walkerLoading: of({ max: 3e4 }, "ms", "own", "Time that a file of people's own walkers gets to load"),
  walkerSilence: of(
    { default: 12e4 },
    "ms",
    "own",
    "Time that people's own walkers may run without yielding, where no --deadline is given"
  ),
  // The host
  graphQueue: of({ max: 512 }, "items", "own", "Requests that wait for one history; more are answered BUSY"),
  clientQueue: of(
    { max: 64 },
    "items",
    "own",
    "Requests of one client without an answer; more are answered BUSY"
  ),
  retryAfter: of({ default: 250 }, "ms", "own", "`retry_after` of an answer that is BUSY"),
  hostMemory: of(
    { default: 1024 * MIB4, min: 64 * MIB4 },
    "bytes",
    "own",
    "Memory of the daemon above which graphs are closed, least recently used first"
  ),
  threadHeap: of(
    { max: 96 * MIB4 },
    "bytes",
    "own",
    "A resting thread whose heap an index has grown beyond makes way for a fresh one"
  ),
  openGraphs: of({ max: 16 }, "items", "own", "Histories that the daemon keeps open"),
  daemonIdle: of(
    { default: 6e5, min: 1e3 },
    "ms",
    "own",
    "A daemon that nobody asked for anything as long leaves"
  ),
  daemonStart: of({ max: 15e3 }, "ms", "own", "What a daemon gets to start, before DAEMON_FAILED"),
  daemonStop: of(
    { max: 2500 },
    "ms",
    "own",
    "What a daemon gets to leave when it is told to; then it is ended"
  ),
  ...FRESHNESS_LIMITS,
  ...EMBEDDING_LIMITS,
  ...AGENT_LIMITS,
  // Stores
  storeWait: of(
    { default: 5e3 },
    "ms",
    "own",
    "Wait for a graph that another process holds, where something is to be recorded: no event is lost by it"
  ),
  storeWaitReading: of({ default: 1500 }, "ms", "own", "The same where a graph is only read"),
  // Graphs in memory
  hotGraph: of(
    { max: 96 * MIB4 },
    "bytes",
    "own",
    "Adjacency of one layer that is kept in memory; what does not fit in is read from the store each time"
  ),
  hotNodes: of({ max: 48 * MIB4 }, "bytes", "own", "Nodes of one layer that are kept decoded, about"),
  hotEdges: of({ max: 16 * MIB4 }, "bytes", "own", "Edges of one layer that are kept decoded, about"),
  hotIdle: of({ max: 6e4 }, "ms", "own", "A layer that nobody read for as long lets go of its memory"),
  // Configuration
  configItems: of({ max: 1e3 }, "items", "own", "Values of one setting that is a list"),
  // Retention
  extractCache: of(
    { default: 1024 * MIB4 },
    "bytes",
    "P-08",
    "Extraction cache; least recently used goes first"
  ),
  leftoverAge: of({ max: 36e5 }, "ms", "own", "What a crash left is collected when it is older"),
  eventArchive: of({ default: 1024 * MIB4 }, "bytes", "P-08", "Event archive; least recently used goes first")
};

// schema/ids.ts
var fileId = (path) => `file:${path}`;
function localId(form, path, name2, ordinal = 1) {
  const suffix = ordinal > 1 ? `~${ordinal}` : "";
  return `${form}:${escapePath(path)}:${escapeName(name2)}${suffix}`;
}
var conceptId = (origin, label) => `concept:${origin}:${label}`;
var COMMIT_CONCEPT = conceptId("commit", "");
var escapePath = (path) => percent(path, /[%:\p{Cc}]/gu);
var escapeName = (name2) => percent(name2, /[%\p{Cc}]|~(?=\d+$)/gu);
function percent(text, what) {
  return text.replace(what, encodeAscii);
}
function encodeAscii(character) {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

// schema/home-marker.ts
var HOME_MARKER = ".codewalk-home";

// source/parser.ts
async function createParser(languages2, options2 = {}) {
  await startLibrary();
  const grammars = /* @__PURE__ */ new Map();
  for (const language of languages2)
    for (const grammar of grammarsOf(language))
      if (!grammars.has(grammar))
        grammars.set(grammar, await loadGrammar(language, grammar, options2.grammarPath ?? installedGrammar));
  return new LoadedParser(languages2, grammars);
}
var require2 = createRequire(import.meta.url);
function installedGrammar(grammar) {
  return require2.resolve(`@vscode/tree-sitter-wasm/wasm/${grammar}`);
}
function grammarsOf(language) {
  if (language.grammar === null) return [];
  return [language.grammar, ...language.otherGrammar ? [language.otherGrammar.grammar] : []];
}
async function loadGrammar(language, grammar, pathOf2) {
  let path = grammar;
  try {
    path = pathOf2(grammar);
    return await Grammar.load(path);
  } catch (cause) {
    throw new CodewalkError(
      "GRAMMAR_FAILED",
      `The grammar of ${language.name} could not be loaded from ${path}: ${reason(cause)}`,
      { suggestion: "Install the package again: the file is missing, damaged or of another version.", cause }
    );
  }
}
var LoadedParser = class {
  languages;
  #grammars;
  #parser = new Parser2();
  #grammar = null;
  constructor(languages2, grammars) {
    this.languages = languages2;
    this.#grammars = grammars;
  }
  languageOf(path) {
    return languageAmong(this.languages, path);
  }
  parse(path, text) {
    const language = this.#require(path);
    if (language.grammar === null)
      throw new CodewalkError("INVALID_INPUT", `${language.name} has no grammar`, { input: path });
    return this.#parse(language, path, text);
  }
  extractFile(path, text) {
    const language = this.#require(path);
    if (language.grammar === null) return extractText(language, path, text);
    const file = this.#parse(language, path, text);
    try {
      return language.extract(file);
    } catch (cause) {
      throw failure("Extraction", path, cause);
    } finally {
      file.tree.delete();
    }
  }
  get memoryBytes() {
    return libraryMemory();
  }
  delete() {
    this.#parser.delete();
  }
  #require(path) {
    const language = this.languageOf(path);
    if (language) return language;
    const known = this.languages.map((one) => one.name).join(", ");
    throw new CodewalkError("INVALID_INPUT", `No loaded language parses ${path}; loaded: ${known}`, {
      input: path
    });
  }
  #parse(language, path, given) {
    const text = withoutMark(given);
    try {
      this.#speak(language.otherGrammar?.reads(text) ? language.otherGrammar.grammar : language.grammar);
      const readable3 = language.readable?.(text) ?? text;
      let tree = this.#tree(readable3);
      const repaired = tree.rootNode.hasError ? language.repair?.(readable3) : null;
      if (repaired != null) tree = better(tree, this.#tree(repaired));
      return { path, text, tree, root: tree.rootNode };
    } catch (cause) {
      this.#recreate();
      throw failure("Parsing", path, cause);
    }
  }
  #tree(text) {
    const tree = this.#parser.parse(text);
    if (tree === null) throw new Error("the parser gave no tree");
    return tree;
  }
  #speak(name2) {
    const grammar = this.#grammars.get(name2) ?? null;
    if (grammar === this.#grammar) return;
    this.#parser.setLanguage(grammar);
    this.#grammar = grammar;
  }
  /** After an abort the old parser's state is unknown: it is left behind, freed if that still works. */
  #recreate() {
    const broken = this.#parser;
    this.#parser = new Parser2();
    this.#grammar = null;
    try {
      broken.delete();
    } catch {
    }
  }
};
function extractText(format2, path, text) {
  try {
    return format2.extract(withoutMark(text));
  } catch (cause) {
    throw failure("Extraction", path, cause);
  }
}
function withoutMark(text) {
  return text.charCodeAt(0) === 65279 ? text.slice(1) : text;
}
function better(first, second) {
  const chosen = errorLength(second) < errorLength(first) ? second : first;
  (chosen === first ? second : first).delete();
  return chosen;
}
function errorLength(tree) {
  let length = 0;
  const open = [tree.rootNode];
  for (let node = open.pop(); node !== void 0; node = open.pop()) {
    if (node.isError) length += node.endIndex - node.startIndex + 1;
    else if (node.isMissing) length += 1;
    else for (const child2 of node.children) if (child2?.hasError || child2?.isMissing) open.push(child2);
  }
  return length;
}
function failure(what, path, cause) {
  if (cause instanceof CodewalkError) return cause;
  return new CodewalkError("PARSE_FAILED", `${what} of ${path} failed: ${reason(cause)}`, {
    suggestion: "Exclude the file with .codewalkignore or --exclude, and report it.",
    input: path,
    cause
  });
}
function reason(cause) {
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

// source/file-system.ts
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync
} from "node:fs";
function kindOf(entry) {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}
var READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
var diskFileSystem = {
  readDirectory: (path) => readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  status: (path) => {
    const stats = lstatSync(path);
    const { size, mtimeMs, ctimeMs, ino } = stats;
    return { kind: kindOf(stats), size, mtimeMs, ctimeMs, inode: ino };
  },
  readBytes: (path, maxBytes) => {
    const handle = openSync(path, READ_FLAGS);
    try {
      const buffer = Buffer.allocUnsafe(Math.min(maxBytes, fstatSync(handle).size));
      let filled = 0;
      while (filled < buffer.length) {
        const read2 = readSync(handle, buffer, filled, buffer.length - filled, filled);
        if (read2 === 0) break;
        filled += read2;
      }
      return buffer.subarray(0, filled);
    } finally {
      closeSync(handle);
    }
  },
  realPath: (path) => realpathSync.native(path),
  readLink: (path) => readlinkSync(path)
};
function errorCode(thrown) {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}
function isMissing(thrown) {
  const code = errorCode(thrown);
  return code === "ENOENT" || code === "ENOTDIR";
}
function statusOrNull(fs, path) {
  try {
    return fs.status(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

// source/discovery/read-text.ts
import { createHash } from "node:crypto";

// source/discovery/limits.ts
var DISCOVERY_LIMITS = {
  maxFileBytes: LIMITS.fileBytes.default,
  binaryProbeBytes: LIMITS.binaryProbe.max,
  maxAverageLineBytes: 5e3,
  minMinifiedBytes: 32 * 1024
};

// source/discovery/read-text.ts
var decoder = new TextDecoder("utf-8", { fatal: true });
function readText(file, options2 = {}) {
  const { fs = diskFileSystem, maxFileBytes = LIMITS.fileBytes.max } = options2;
  let bytes;
  try {
    bytes = fs.readBytes(file.diskPath, maxFileBytes + 1);
  } catch (error) {
    return { ok: false, reason: readFailure(error), detail: errorCode(error) };
  }
  if (bytes.length > maxFileBytes) {
    return { ok: false, reason: "too-large", detail: `over ${maxFileBytes} bytes` };
  }
  if (bytes.subarray(0, DISCOVERY_LIMITS.binaryProbeBytes).includes(0))
    return { ok: false, reason: "binary", detail: "NUL byte" };
  try {
    const text = decoder.decode(bytes);
    return { ok: true, text, hash: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
  } catch {
    return { ok: false, reason: "not-utf8", detail: `line ${firstInvalidLine(bytes)}` };
  }
}
function readFailure(error) {
  return isMissing(error) ? "vanished" : "unreadable";
}
function firstInvalidLine(bytes) {
  let valid = 0;
  let invalid = bytes.length;
  while (valid + 1 < invalid) {
    const middle = valid + invalid >> 1;
    if (isPrefixOfText(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return bytes.subarray(0, valid).reduce((lines, byte) => byte === 10 ? lines + 1 : lines, 1);
}
function isPrefixOfText(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

// source/discovery/vendored-folders.ts
var JAVA_OR_RUST = ["Cargo.toml", "pom.xml", "build.sbt"];
var SETUPTOOLS = ["setup.py", "setup.cfg", "pyproject.toml"];
var GRADLE = ["build.gradle", "build.gradle.kts"];
var VENDORED_FOLDERS = {
  // Version control, editors and ourselves
  ".hg": "always",
  ".svn": "always",
  ".jj": "always",
  ".idea": "always",
  ".vs": "always",
  ".graphs": "always",
  // JavaScript
  node_modules: "always",
  bower_components: "always",
  jspm_packages: "always",
  ".yarn": "always",
  ".pnpm-store": "always",
  ".next": "always",
  ".nuxt": "always",
  ".output": "always",
  ".svelte-kit": "always",
  ".turbo": "always",
  ".parcel-cache": "always",
  ".angular": "always",
  ".nyc_output": "always",
  // Python
  ".venv": "always",
  venv: "always",
  "site-packages": "always",
  __pycache__: "always",
  __pypackages__: "always",
  ".eggs": "always",
  ".tox": "always",
  ".nox": "always",
  ".mypy_cache": "always",
  ".pytest_cache": "always",
  ".ruff_cache": "always",
  ".ipynb_checkpoints": "always",
  htmlcov: "always",
  // Others
  ".gradle": "always",
  ".terraform": "always",
  ".bundle": "always",
  ".dart_tool": "always",
  ".cache": "always",
  dist: "always",
  coverage: { beside: ["package.json"] },
  build: { beside: [...GRADLE, ...SETUPTOOLS, "CMakeLists.txt", "pubspec.yaml"] },
  target: { beside: JAVA_OR_RUST },
  vendor: { beside: ["go.mod", "composer.json", "Gemfile", "Cargo.toml"] },
  Pods: { beside: ["Podfile"] },
  bin: { beside: GRADLE },
  out: { beside: GRADLE }
};
var VENDORED_MARKERS = ["pyvenv.cfg", "conda-meta", "CACHEDIR.TAG", HOME_MARKER];
function vendoredByName(name2, siblings) {
  if (name2.endsWith(".egg-info")) return "*.egg-info";
  const evidence = Object.hasOwn(VENDORED_FOLDERS, name2) ? VENDORED_FOLDERS[name2] : void 0;
  if (evidence === void 0) return null;
  if (evidence === "always") return name2;
  const beside = evidence.beside.find((sibling) => siblings.has(sibling));
  return beside === void 0 ? null : `${name2} beside ${beside}`;
}
function vendoredByContent(names) {
  const marker = VENDORED_MARKERS.find((name2) => names.has(name2));
  return marker === void 0 ? null : `holds ${marker}`;
}

// source/discovery/discover.ts
import { setImmediate as nextTurn } from "node:timers/promises";

// source/paths.ts
import { posix, win32 } from "node:path";
function platformOf(nodePlatform = process.platform) {
  return nodePlatform === "win32" ? "win32" : "posix";
}
function pathsOf2(platform) {
  return platform === "win32" ? win32 : posix;
}
function comparePaths(left, right) {
  const shared3 = Math.min(left.length, right.length);
  for (let at = 0; at < shared3; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}
function codePointRank(unit) {
  if (unit < 55296) return unit;
  return unit < 57344 ? unit + 8192 : unit - 2048;
}
function contains(parent, child2, platform) {
  const paths = pathsOf2(platform);
  const relative = paths.relative(parent, child2);
  return relative === "" || !(leaves2(relative, platform) || paths.isAbsolute(relative));
}
function leaves2(relative, platform) {
  return relative === ".." || relative.startsWith(`..${pathsOf2(platform).sep}`);
}
function toGraphPath(root, path, platform) {
  const paths = pathsOf2(platform);
  if (!paths.isAbsolute(root)) {
    throw new CodewalkError("INVALID_ROOT", `The root "${root}" is not absolute.`, { input: root });
  }
  if (path.includes("\0")) {
    throw new CodewalkError("INVALID_INPUT", `The path ${JSON.stringify(path)} holds a NUL character.`, {
      input: path
    });
  }
  const plain = platform === "win32" ? withoutDevicePrefix(path) : path;
  if (platform === "win32" && namesOtherPlace(plain)) throw outside(root, path);
  const plainRoot = platform === "win32" ? withoutDevicePrefix(root) : root;
  const target = paths.resolve(plainRoot, plain);
  if (!contains(plainRoot, target, platform)) throw outside(root, path);
  return paths.relative(plainRoot, target).split(paths.sep).join("/").normalize("NFC");
}
function withoutDevicePrefix(path) {
  return path.replace(/^[\\/]{2}\?[\\/]UNC[\\/]/i, "\\\\").replace(/^[\\/]{2}\?[\\/](?=[a-z]:)/i, "");
}
function namesOtherPlace(path) {
  return /^[a-z]:(?![\\/])/i.test(path) || path.slice(2).includes(":");
}
function outside(root, path) {
  return new CodewalkError("PATH_OUTSIDE_ROOT", `The path "${path}" leaves the root "${root}".`, {
    input: path,
    suggestion: "Give a path inside the root, relative to it."
  });
}

// source/git-folder.ts
var POINTER_BYTES = 4096;
function gitTop(directory, platform, fs = diskFileSystem) {
  const paths = pathsOf2(platform);
  let at = directory;
  for (; ; ) {
    if (isGitFolder(fs, paths.join(at, ".git"))) return at;
    const above = paths.dirname(at);
    if (above === at) return null;
    at = above;
  }
}
function isGitFolder(fs, path) {
  try {
    const { kind } = fs.status(path);
    return kind === "directory" || kind === "file";
  } catch {
    return false;
  }
}
function gitPointer(gitFile, platform, fs) {
  const target = /^gitdir: (.+)/.exec(firstText(fs, gitFile))?.[1]?.trim();
  return target === void 0 ? null : pathsOf2(platform).resolve(gitFile, "..", target);
}
function isLinkedWorktree(directory, platform, fs) {
  const paths = pathsOf2(platform);
  const home = gitPointer(paths.join(directory, ".git"), platform, fs);
  return home !== null && paths.basename(paths.dirname(home)) === "worktrees";
}
function excludeFile(top, platform, fs) {
  const paths = pathsOf2(platform);
  const own = paths.join(top, ".git");
  const folder = gitPointer(own, platform, fs) ?? own;
  const common = firstText(fs, paths.join(folder, "commondir")).trim();
  return paths.join(common === "" ? folder : paths.resolve(folder, common), "info", "exclude");
}
function firstText(fs, path) {
  try {
    return new TextDecoder().decode(fs.readBytes(path, POINTER_BYTES));
  } catch {
    return "";
  }
}

// source/discovery/binary-files.ts
var BINARY_ENDINGS = new Set(
  [
    "png jpg jpeg gif bmp ico icns webp avif tif tiff heic psd ai eps xcf sketch fig",
    "mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv aac",
    "woff woff2 ttf otf eot",
    "zip gz tgz bz2 xz 7z rar zst lz4 br tar jar war ear whl egg gem deb rpm apk ipa dmg iso cab msi nupkg",
    "exe dll so dylib a o obj lib pdb class pyc pyo pyd wasm node bc elc beam rlib rmeta",
    "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi",
    "db sqlite sqlite3 mdb ldb parquet arrow feather avro npy npz pkl pickle h5 hdf5 onnx pt pth safetensors gguf",
    "swf blend fbx glb 3ds dwg ktx dds DS_Store"
  ].join(" ").toLowerCase().split(" ")
);
function binaryEnding(name2) {
  const ending = name2.slice(name2.lastIndexOf(".") + 1).toLowerCase();
  return ending.length < name2.length && BINARY_ENDINGS.has(ending) ? ending : null;
}
function probeBytes(head) {
  const littleEndian = head[0] === 255 && head[1] === 254;
  const bigEndian = head[0] === 254 && head[1] === 255;
  if (littleEndian || bigEndian) return { reason: "not-utf8", detail: `UTF-16${littleEndian ? "LE" : "BE"}` };
  const at = head.indexOf(0);
  return at < 0 ? null : { reason: "binary", detail: `NUL at byte ${at}` };
}

// source/discovery/ignore-rules.ts
var import_ignore = __toESM(require_ignore(), 1);
function withIgnoreFile(outer, text, source, folder) {
  const rules2 = (0, import_ignore.default)({ ignorecase: false }).add(text.normalize("NFC"));
  return { level: { source, rules: rules2, cut: folder.length, prefix: "" }, outer };
}
function seenFrom(chain, inside2) {
  if (chain === null) return null;
  const { level } = chain;
  return {
    level: { ...level, cut: 0, prefix: inside2.slice(level.cut) },
    outer: seenFrom(chain.outer, inside2)
  };
}
function testOf(level, path) {
  return level.rules.test(level.prefix + path.slice(level.cut));
}
function ignoredBy(chain, path) {
  for (let at = chain; at !== null; at = at.outer) {
    const verdict = testOf(at.level, path);
    if (verdict.ignored) return `${at.level.source}: ${verdict.rule?.pattern ?? ""}`.trimEnd();
    if (verdict.unignored) return null;
  }
  return null;
}
function entering(chain, folder) {
  if (chain === null) return null;
  const outer = entering(chain.outer, folder);
  const { level } = chain;
  if (!testOf(level, folder).ignored) return outer === chain.outer ? chain : { level, outer };
  const escaped = (level.prefix + folder.slice(level.cut)).replace(/[\\*?[\]]/g, "\\$&");
  return {
    level: { ...level, rules: (0, import_ignore.default)({ ignorecase: false }).add(level.rules).add(`!/${escaped}`) },
    outer
  };
}

// source/discovery/ignore-files.ts
var MAX_IGNORE_BYTES = 1024 * 1024;
function readIgnoreFile(fs, path) {
  try {
    return { text: new TextDecoder().decode(fs.readBytes(path, MAX_IGNORE_BYTES)) };
  } catch (error) {
    return { error: errorCode(error) };
  }
}
function rootRules(root, platform, fs) {
  const top = gitTop(root, platform, fs);
  if (top === null) return null;
  const paths = pathsOf2(platform);
  const inside2 = toGraphPath(top, root, platform);
  let chain = withFile(null, fs, excludeFile(top, platform, fs), ".git/info/exclude", "");
  let directory = top;
  let folder = "";
  const parts = inside2 === "" ? [] : inside2.split("/");
  for (const [depth, part] of parts.entries()) {
    const source = `${"../".repeat(parts.length - depth)}.gitignore`;
    chain = withFile(chain, fs, paths.join(directory, ".gitignore"), source, folder);
    directory = paths.join(directory, part);
    folder += `${part}/`;
    if (ignoredBy(chain, folder) !== null) return null;
    chain = entering(chain, folder);
  }
  return seenFrom(chain, folder);
}
function withFile(outer, fs, file, source, folder) {
  if (statusOrNull(fs, file)?.kind !== "file") return outer;
  const read2 = readIgnoreFile(fs, file);
  return "text" in read2 ? withIgnoreFile(outer, read2.text, source, folder) : outer;
}

// source/discovery/language-names.ts
var ENDINGS = {
  typescript: ".ts .mts .cts",
  tsx: ".tsx",
  javascript: ".js .mjs .cjs",
  jsx: ".jsx",
  python: ".py .pyi .pyw",
  go: ".go",
  rust: ".rs",
  java: ".java",
  kotlin: ".kt .kts",
  scala: ".scala .sc .sbt",
  groovy: ".groovy .gradle",
  clojure: ".clj .cljs .cljc .edn",
  c: ".c .h",
  cpp: ".cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .inl",
  csharp: ".cs .csx",
  fsharp: ".fs .fsi .fsx",
  "visual-basic": ".vb",
  "objective-c": ".m",
  "objective-cpp": ".mm",
  swift: ".swift",
  ruby: ".rb .rake .gemspec .ru",
  php: ".php .phtml",
  perl: ".pl .pm .t",
  lua: ".lua",
  r: ".r",
  julia: ".jl",
  dart: ".dart",
  elixir: ".ex .exs",
  erlang: ".erl .hrl",
  haskell: ".hs .lhs",
  ocaml: ".ml .mli",
  elm: ".elm",
  purescript: ".purs",
  lisp: ".lisp .cl .el",
  scheme: ".scm .ss .rkt",
  zig: ".zig",
  nim: ".nim",
  d: ".d",
  crystal: ".cr",
  v: ".vsh",
  fortran: ".f .f90 .f95 .f03",
  cobol: ".cob .cbl",
  ada: ".adb .ads",
  pascal: ".pas",
  assembly: ".s .asm",
  verilog: ".v .sv .svh",
  vhdl: ".vhd .vhdl",
  solidity: ".sol",
  cuda: ".cu .cuh",
  glsl: ".glsl .vert .frag",
  wgsl: ".wgsl",
  webassembly: ".wat",
  shell: ".sh .bash .zsh .ksh",
  fish: ".fish",
  powershell: ".ps1 .psm1 .psd1",
  batch: ".bat .cmd",
  awk: ".awk",
  tcl: ".tcl",
  vim: ".vim",
  nix: ".nix",
  sql: ".sql",
  graphql: ".graphql .gql",
  protobuf: ".proto",
  thrift: ".thrift",
  prisma: ".prisma",
  html: ".html .htm .xhtml",
  css: ".css",
  scss: ".scss",
  sass: ".sass",
  less: ".less",
  stylus: ".styl",
  vue: ".vue",
  svelte: ".svelte",
  astro: ".astro",
  mdx: ".mdx",
  handlebars: ".hbs .handlebars .mustache",
  jinja: ".j2 .jinja .jinja2",
  ejs: ".ejs",
  pug: ".pug",
  erb: ".erb",
  markdown: ".md .markdown",
  restructuredtext: ".rst",
  asciidoc: ".adoc .asciidoc",
  latex: ".tex .sty .cls",
  bibtex: ".bib",
  text: ".txt .text .log",
  json: ".json .jsonc .json5 .webmanifest .map .ipynb",
  jsonl: ".jsonl .ndjson",
  yaml: ".yaml .yml",
  toml: ".toml",
  xml: ".xml .xsd .xsl .xslt .plist .csproj .fsproj .vbproj .props .targets .resx",
  svg: ".svg",
  ini: ".ini .cfg .conf .properties .editorconfig",
  csv: ".csv .tsv",
  dotenv: ".env.example .env.sample .env.template",
  ignore: ".gitignore .dockerignore .npmignore .eslintignore .prettierignore .codewalkignore",
  hcl: ".tf .hcl",
  cmake: ".cmake",
  make: ".mk .mak",
  diff: ".diff .patch",
  snapshot: ".snap"
};
var NAMES4 = {
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  makefile: "make",
  gnumakefile: "make",
  "cmakelists.txt": "cmake",
  rakefile: "ruby",
  gemfile: "ruby",
  podfile: "ruby",
  vagrantfile: "ruby",
  jenkinsfile: "groovy",
  justfile: "just",
  procfile: "yaml",
  "go.mod": "go-module",
  "go.sum": "go-module",
  "requirements.txt": "requirements",
  "cargo.lock": "toml",
  "poetry.lock": "toml",
  "uv.lock": "toml",
  "composer.lock": "json",
  "bun.lock": "json",
  "yarn.lock": "yaml",
  ".babelrc": "json",
  ".eslintrc": "json",
  ".prettierrc": "json",
  ".bashrc": "shell",
  ".zshrc": "shell",
  ".profile": "shell",
  ".gitattributes": "ini",
  ".gitmodules": "ini",
  ".gitconfig": "ini",
  pkgbuild: "shell",
  build: "starlark",
  "build.bazel": "starlark",
  workspace: "starlark"
};
var INTERPRETERS = {
  sh: "shell",
  bash: "shell",
  dash: "shell",
  zsh: "shell",
  ksh: "shell",
  fish: "fish",
  node: "javascript",
  nodejs: "javascript",
  bun: "typescript",
  deno: "typescript",
  tsx: "typescript",
  python: "python",
  pypy: "python",
  ruby: "ruby",
  perl: "perl",
  php: "php",
  lua: "lua",
  awk: "awk",
  gawk: "awk",
  tclsh: "tcl",
  rscript: "r",
  julia: "julia",
  elixir: "elixir",
  pwsh: "powershell",
  make: "make"
};
var languageOfEnding = new Map(
  Object.entries(ENDINGS).flatMap(
    ([language, endings]) => endings.split(" ").map((ending) => [ending, language])
  )
);
var LANGUAGE_NAMES = [
  .../* @__PURE__ */ new Set([...Object.keys(ENDINGS), ...Object.values(NAMES4), ...Object.values(INTERPRETERS)])
].sort();
var UNKNOWN_LANGUAGE = "text";
function languageName(path, head = "") {
  const name2 = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const whole = Object.hasOwn(NAMES4, name2) ? NAMES4[name2] : void 0;
  if (whole !== void 0) return whole;
  if (name2.startsWith("dockerfile.")) return "dockerfile";
  for (let dot = name2.indexOf("."); dot >= 0; dot = name2.indexOf(".", dot + 1)) {
    const language = languageOfEnding.get(name2.slice(dot));
    if (language !== void 0) return language;
  }
  return interpreterLanguage(typeof head === "string" ? head : head()) ?? UNKNOWN_LANGUAGE;
}
function interpreterLanguage(head) {
  const line = /^#!\s*(.+)/.exec(head)?.[1];
  if (line === void 0) return void 0;
  const words = line.trim().split(/\s+/);
  const program = /(^|\/)env$/.test(words[0] ?? "") ? words.slice(1).find((word) => !word.startsWith("-") && !word.includes("=")) : words[0];
  const name2 = (program ?? "").split("/").at(-1)?.replace(/[\d.]+$/, "") ?? "";
  return Object.hasOwn(INTERPRETERS, name2) ? INTERPRETERS[name2] : void 0;
}

// source/discovery/minified.ts
var LINE_FEED = 10;
function isMinified(path, size, limits, read2) {
  if (/\.min\.[^./]+$/i.test(path)) return true;
  if (size < limits.minMinifiedBytes) return false;
  const bytes = read2();
  const enough = bytes.length / limits.maxAverageLineBytes;
  let lines = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    lines += 1;
    if (lines >= enough) return false;
  }
  return true;
}

// source/discovery/secret-files.ts
var import_picomatch = __toESM(require_picomatch2(), 1);
var SECRET_NAMES = [
  ".env",
  ".env.*",
  "*.env",
  ".envrc",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.p8",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.ppk",
  "*.gpg",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".git-credentials",
  ".dockercfg",
  ".dockerconfigjson",
  ".s3cfg",
  ".boto",
  ".vault-token",
  "credentials",
  "credentials.json",
  "*.credentials.json",
  "service-account*.json",
  "service_account*.json",
  "*.tfvars",
  "*.tfstate",
  "*.tfstate.*"
];
var SECRET_EXAMPLES = [
  "*.{example,sample,template,dist,defaults}",
  "*.{example,sample,template}.*"
];
var SECRET_FOLDERS = [".ssh", ".gnupg", ".aws", ".kube"];
var options = { dot: true, nocase: true, windows: false };
var rules = SECRET_NAMES.map((glob) => ({ glob, matches: (0, import_picomatch.default)(glob, options) }));
var isExample = (0, import_picomatch.default)([...SECRET_EXAMPLES], options);
function secretRule(name2) {
  const rule = rules.find(({ matches }) => matches(name2));
  return rule === void 0 || isExample(name2) ? null : rule.glob;
}
function isSecretFolder(name2) {
  return SECRET_FOLDERS.includes(name2.toLowerCase());
}

// source/discovery/directory-walk.ts
var DirectoryWalk = class {
  files = [];
  skipped = [];
  folders = [];
  rules;
  constructor(rules2) {
    this.rules = rules2;
  }
  /** How many entries have their decision. */
  get decided() {
    return this.files.length + this.skipped.length;
  }
  /** The root as the first folder; `git` holds the rules that come from above it. */
  start(git) {
    return { path: "", diskPath: this.rules.realRoot, git, own: null, included: false };
  }
  /**
   * Decides every entry of a folder that is asked for, one by one; what comes are the folders in it that have to be
   * listed too, and null for what is none. Throws the file system's error when the root cannot be listed.
   */
  *list(folder) {
    const { only } = this.rules;
    const { path, diskPath } = folder;
    this.folders.push({ path: path.slice(0, -1), diskPath });
    const entries = this.#entries(folder);
    if (entries === null) return;
    const names = new Set(entries.map(({ name: name2 }) => name2));
    if (folder.path !== "") {
      const verdict = this.#folderContent(folder, names);
      if (verdict !== null) {
        this.#skip(folder.path, verdict);
        return;
      }
    }
    const here = this.#withIgnoreFiles(folder, entries);
    for (const entry of this.#distinct(here, entries)) {
      if (!only.has(folder.path + entry.name.normalize("NFC"))) continue;
      yield this.#decide(here, entry, names);
    }
  }
  #skip(path, [reason2, detail]) {
    this.skipped.push({ path, reason: reason2, detail });
    return null;
  }
  #entries(folder) {
    try {
      const entries = [...this.rules.fs.readDirectory(folder.diskPath)];
      return entries.sort((left, right) => comparePaths(left.name, right.name));
    } catch (error) {
      if (folder.path === "") throw error;
      return this.#skip(folder.path, [readFailure(error), errorCode(error)]);
    }
  }
  /** What only a look into the folder tells. */
  #folderContent(folder, names) {
    const { include, platform, fs } = this.rules;
    const vendored = vendoredByContent(names);
    if (vendored !== null && !include.names(folder.path.slice(0, -1))) return ["vendored", vendored];
    if (names.has(".git") && isLinkedWorktree(folder.diskPath, platform, fs)) return ["nested-worktree", ""];
    return null;
  }
  /** Git does not follow a `.gitignore` that is a link, and neither do we. */
  #withIgnoreFiles(folder, entries) {
    const read2 = (outer, name2) => {
      if (!entries.some((entry) => entry.name === name2 && entry.kind === "file")) return outer;
      const file = readIgnoreFile(this.rules.fs, this.#onDisk(folder, name2));
      return "text" in file ? withIgnoreFile(outer, file.text, folder.path + name2, folder.path) : outer;
    };
    return { ...folder, git: read2(folder.git, ".gitignore"), own: read2(folder.own, ".codewalkignore") };
  }
  /** The entries that have a path of their own; the others are skipped and named. */
  *#distinct(folder, entries) {
    const first = /* @__PURE__ */ new Map();
    for (const entry of entries) {
      const name2 = entry.name.normalize("NFC");
      const path = folder.path + name2 + (entry.kind === "directory" ? "/" : "");
      const taken = first.get(name2);
      if (entry.name.includes("\uFFFD")) this.#skip(path, ["name-not-utf8", ""]);
      else if (taken !== void 0) this.#skip(path, ["same-name", `taken: ${escapedName(taken)}`]);
      else {
        first.set(name2, entry.name);
        yield entry;
      }
    }
  }
  #onDisk(folder, name2) {
    return pathsOf2(this.rules.platform).join(folder.diskPath, name2);
  }
  #decide(folder, entry, siblings) {
    const isFolder = entry.kind === "directory";
    const plain = folder.path + entry.name.normalize("NFC");
    const path = isFolder ? `${plain}/` : plain;
    const { include, exclude } = this.rules;
    if (entry.name === ".git") return this.#skip(path, ["git", ""]);
    const vendored = isFolder ? vendoredByName(entry.name, siblings) : null;
    if (vendored !== null && !include.names(plain)) return this.#skip(path, ["vendored", vendored]);
    const git = ignoredBy(folder.git, path);
    if (git !== null) return this.#skip(path, ["gitignored", git]);
    const own = ignoredBy(folder.own, path);
    if (own !== null) return this.#skip(path, ["codewalkignored", own]);
    const glob = exclude.match(plain);
    if (glob !== null) return this.#skip(path, ["excluded", glob]);
    const included = folder.included || include.match(plain) !== null;
    if (isFolder) {
      if (isSecretFolder(entry.name)) return this.#skip(path, ["secret", entry.name]);
      return {
        path,
        diskPath: this.#onDisk(folder, entry.name),
        git: entering(folder.git, path),
        own: entering(folder.own, path),
        included
      };
    }
    if (include.size > 0 && !included) return this.#skip(path, ["not-included", ""]);
    const secret = secretRule(entry.name);
    if (secret !== null) return this.#skip(path, ["secret", secret]);
    const diskPath = this.#onDisk(folder, entry.name);
    if (entry.kind === "link") return this.#skip(path, this.#link(diskPath));
    if (entry.kind === "other") return this.#skip(path, ["special-file", ""]);
    return this.#file(path, diskPath, entry.name);
  }
  #link(diskPath) {
    const { fs, platform, realRoot } = this.rules;
    try {
      const target = fs.realPath(diskPath);
      if (contains(realRoot, target, platform)) {
        return ["symlink-inside", toGraphPath(realRoot, target, platform) || "."];
      }
      return ["symlink-outside", fs.readLink(diskPath)];
    } catch (error) {
      return ["symlink-broken", errorCode(error)];
    }
  }
  #file(path, diskPath, name2) {
    const { fs, limits } = this.rules;
    try {
      const status = fs.status(diskPath);
      if (status.kind !== "file") return this.#skip(path, ["vanished", `now a ${status.kind}`]);
      if (status.size > limits.maxFileBytes) {
        return this.#skip(path, ["too-large", `${status.size} bytes, limit ${limits.maxFileBytes}`]);
      }
      const ending = binaryEnding(name2);
      if (ending !== null) return this.#skip(path, ["binary", `.${ending}`]);
      const known = this.rules.known(path, status);
      if (known !== null) {
        this.files.push(takenFile(path, diskPath, status, known));
        return null;
      }
      const head = fs.readBytes(diskPath, limits.binaryProbeBytes);
      const probe = probeBytes(head);
      if (probe !== null) return this.#skip(path, [probe.reason, probe.detail]);
      this.files.push(this.#taken(path, diskPath, status, head));
      return null;
    } catch (error) {
      return this.#skip(path, [readFailure(error), errorCode(error)]);
    }
  }
  #taken(path, diskPath, status, head) {
    const { fs, limits, languageOf: languageOf2 } = this.rules;
    const { size } = status;
    const extractor = languageOf2(path) ?? null;
    const minified = extractor !== null && isMinified(path, size, limits, () => fs.readBytes(diskPath, size));
    return takenFile(path, diskPath, status, {
      language: extractor?.name ?? languageName(path, () => firstLine(head)),
      extracted: extractor !== null && !minified,
      plain: extractor === null ? "language" : minified ? "minified" : null
    });
  }
};
function takenFile(path, diskPath, status, known) {
  const { size, mtimeMs, ctimeMs, inode } = status;
  const { language, extracted, plain } = known;
  return { path, diskPath, size, mtimeMs, ctimeMs, inode, language, extracted, plain };
}
function escapedName(name2) {
  return name2.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
function firstLine(head) {
  return new TextDecoder().decode(head.subarray(0, 128)).split("\n", 1)[0] ?? "";
}

// source/discovery/globs.ts
var import_picomatch2 = __toESM(require_picomatch2(), 1);
var OPTIONS = { dot: true, windows: false };
var WILDCARD = /[*?]/;
function readGlobs(globs) {
  const read2 = globs.map((given) => {
    const glob = anchored(given);
    const parts = glob.split("/");
    const named2 = parts.map((part, index) => ({ part, index })).filter(({ part }) => !WILDCARD.test(part)).map(({ index }) => (0, import_picomatch2.default)(parts.slice(0, index + 1).join("/"), OPTIONS));
    return { given, matches: (0, import_picomatch2.default)(glob, OPTIONS), named: named2 };
  });
  return {
    match: (path) => read2.find(({ matches }) => matches(path))?.given ?? null,
    names: (folder) => read2.some(({ named: named2 }) => named2.some((matches) => matches(folder))),
    size: globs.length
  };
}
function requireClosed(glob) {
  const open = [];
  for (const character of glob.replace(/\\./g, "")) {
    const closing = { "[": "]", "{": "}", "(": ")" }[character];
    if (open.at(-1) === character) open.pop();
    else if (closing !== void 0 && open.at(-1) !== "]") open.push(closing);
  }
  if (open.length === 0) return;
  throw new CodewalkError("INVALID_INPUT", `The glob "${glob}" lacks a "${open.at(-1)}".`, {
    input: glob,
    suggestion: "Close the bracket, or write it as a plain character with a backslash before it."
  });
}
function anchored(given) {
  requireClosed(given);
  const glob = given.normalize("NFC").replace(/^(\.?\/)+/, "").replace(/\/+$/, "");
  if (glob === "" || glob.startsWith("!")) {
    throw new CodewalkError("INVALID_INPUT", `The glob "${given}" is ${glob === "" ? "empty" : "negated"}.`, {
      input: given,
      suggestion: "Use --exclude for what should be left out and --include for what should be taken."
    });
  }
  return glob.includes("/") || /^\.?\//.test(given) ? glob : `**/${glob}`;
}

// source/discovery/discover.ts
var ENTRIES_PER_TURN = 500;
async function discover(root, options2) {
  const { fs = diskFileSystem, platform = platformOf(), signal, onProgress, pause } = options2;
  const walk = new DirectoryWalk({
    fs,
    platform,
    languageOf: options2.languageOf,
    include: readGlobs(options2.include ?? []),
    exclude: readGlobs(options2.exclude ?? []),
    limits: { ...DISCOVERY_LIMITS, ...options2.limits },
    realRoot: rootDo(root, () => fs.realPath(root)),
    only: wanted(options2.only ?? [""]),
    known: options2.known ?? (() => null)
  });
  const { realRoot } = walk.rules;
  throwIfCancelled(signal, root);
  const inRoot = rootDo(root, () => [...walk.list(walk.start(rootRules(realRoot, platform, fs)))]);
  const waiting = inRoot.filter((inner) => inner !== null);
  let reported = 0;
  for (let folder = waiting.pop(); folder !== void 0; folder = waiting.pop()) {
    for (const inner of walk.list(folder)) {
      if (inner !== null) waiting.push(inner);
      const turn = pause?.();
      if (turn) await turn;
    }
    if (walk.decided - reported >= ENTRIES_PER_TURN) {
      reported = walk.decided;
      onProgress?.(reported);
      await nextTurn();
      throwIfCancelled(signal, root);
    }
  }
  onProgress?.(walk.decided);
  return {
    root: realRoot,
    files: walk.files.sort((left, right) => comparePaths(left.path, right.path)),
    skipped: walk.skipped.sort(
      (left, right) => comparePaths(left.path, right.path) || comparePaths(left.detail, right.detail)
    ),
    folders: walk.folders
  };
}
function wanted(only) {
  if (only.includes("")) return { has: () => true };
  const asked = new Set(only);
  const onTheWay = new Set(only.flatMap(foldersOf));
  return {
    has: (path) => asked.has(path) || onTheWay.has(path) || foldersOf(path).some((at) => asked.has(at))
  };
}
function foldersOf(path) {
  const parts = path.split("/");
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join("/"));
}
function rootDo(root, action) {
  try {
    return action();
  } catch (error) {
    if (errorCode(error) === "") throw error;
    const why = isMissing(error) ? "is not a directory that exists" : `cannot be read (${errorCode(error)})`;
    throw new CodewalkError("INVALID_ROOT", `The root "${root}" ${why}.`, { input: root, cause: error });
  }
}
function throwIfCancelled(signal, root) {
  if (signal?.aborted) throw new CodewalkError("CANCELLED", `Discovery of "${root}" was cancelled.`);
}

// search/text-store/definition.ts
var MOST_FIELDS = 8;
function defineTextIndex(name2, { layer, fields: weights }) {
  const fields = Object.keys(weights);
  if (fields.length === 0 || fields.length > MOST_FIELDS)
    throw new RangeError(`the text index '${name2}' has ${fields.length} fields: 1 to ${MOST_FIELDS}`);
  return { name: name2, layer, fields, weights };
}

// search/text-store/bytes.ts
var ByteWriter = class {
  #bytes = Buffer.allocUnsafe(64);
  #size = 0;
  byte(value) {
    this.#room(1);
    this.#bytes[this.#size++] = value;
  }
  /** A whole number from 0 up to 2^53 in seven bits a byte, the lowest first. */
  number(value) {
    this.#room(8);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#size++] = rest % 128 | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#size++] = rest;
  }
  /** A text in UTF-8 behind its length. */
  text(value) {
    this.number(Buffer.byteLength(value));
    this.#room(value.length * 3);
    this.#size += this.#bytes.write(value, this.#size);
  }
  /** Bytes behind their length. */
  bytes(value) {
    this.number(value.length);
    this.#room(value.length);
    this.#bytes.set(value, this.#size);
    this.#size += value.length;
  }
  /** What was put since the last time, as bytes of their own. */
  take() {
    const taken = new Uint8Array(this.#size);
    taken.set(this.#bytes.subarray(0, this.#size));
    this.#size = 0;
    return taken;
  }
  #room(more) {
    if (this.#size + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#size + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
};

// search/text-store/postings.ts
var STEPS = 8;
var LENGTHS = Array.from({ length: 256 }, (_, code) => 2 ** (code / STEPS));
function writeCounts(to, counts, first, fields) {
  if (fields === 1) {
    to.number(counts[first] ?? 0);
    return;
  }
  let mask = 0;
  for (let field = 0; field < fields; field++) if (counts[first + field]) mask |= 1 << field;
  to.byte(mask);
  for (let field = 0; field < fields; field++) if (mask & 1 << field) to.number(counts[first + field] ?? 0);
}

// search/text-store/documents.ts
function madeDocuments({ fields }, documents) {
  const [all2, one] = [new ByteWriter(), new ByteWriter()];
  for (const document of documents) all2.bytes(documentBytes(one, document, fields.length));
  return all2.take();
}
function documentBytes(to, { id, words }, fields) {
  const lengths = new Array(fields).fill(0);
  for (const counts of words.values())
    for (let field = 0; field < fields; field++)
      lengths[field] = (lengths[field] ?? 0) + (counts[field] ?? 0);
  to.text(id);
  for (const length of lengths) to.number(length);
  for (const [word, counts] of words) {
    if (!counts.some((count) => count > 0)) continue;
    to.text(word);
    writeCounts(to, counts, 0, fields);
  }
  return to.take();
}

// search/words.ts
var STOP_WORDS = new Set(
  "a an and are as at be been but by can could did do does for from had has have how i if in into is it its may might no not of on or should so than that the their then there these they this those to was we were what when where which who why will with would you your".split(" ")
);
var TOKEN = new RegExp("[\\p{L}_$][\\p{L}\\p{N}_$]*|\\p{N}+", "gu");
var INSIDE = new RegExp("(?<=[\\p{Ll}\\p{N}])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})|[_$]+", "u");
var UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
var LONGEST3 = 64;
var MOST_REMEMBERED = 2e5;
function tokensOf(text) {
  return text.match(TOKEN) ?? [];
}
var Words = class {
  #known = /* @__PURE__ */ new Map();
  /** The words of a text, each as often as it stands there. */
  of(text) {
    return this.ofTokens(tokensOf(text));
  }
  /** The words of the tokens of a text. */
  ofTokens(tokens2) {
    const words = [];
    for (const token of tokens2) for (const word of this.#wordsOf(token)) words.push(word);
    return words;
  }
  #wordsOf(token) {
    const known = this.#known.get(token);
    if (known) return known;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const words = wordsOf2(token);
    this.#known.set(token, words);
    return words;
  }
};
function wordsOf2(token) {
  if (UNSPACED.test(token)) return pairsOf(token);
  if (token.length > LONGEST3) return [];
  const parts = token.split(INSIDE).filter((part) => part !== "");
  const words = parts.map((part) => part.toLowerCase()).filter((part) => part.length > 1 && !STOP_WORDS.has(part)).map(stem);
  return parts.length > 1 ? [...words, token.toLowerCase()] : words;
}
function pairsOf(token) {
  const characters = [...token.toLowerCase()];
  return characters.length < 2 ? characters : characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
function stem(word) {
  const cut4 = withoutEnding(word);
  return cut4.length > 4 && cut4.endsWith("e") ? cut4.slice(0, -1) : cut4;
}
function withoutEnding(word) {
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
  if (word.length > 4 && (word.endsWith("ies") || word.endsWith("ied"))) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith("ed")) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word;
}

// walkers/code/text/code-text.ts
var CODE_TEXT = defineTextIndex("code-1", {
  layer: "derived",
  fields: { name: 4, owner: 1, path: 1, signature: 2, doc: 2, parts: 1, body: 1 }
});

// walkers/code/indexing/symbol-node.ts
var ID_FORM = {
  function: "fn",
  method: "m",
  class: "cls",
  variable: "var",
  type: "type"
};
var idsOf = /* @__PURE__ */ new WeakMap();
function definitionIds(path, facts) {
  const known = idsOf.get(facts);
  if (known) return known;
  const ids = facts.definitions.map(
    ({ form, qualname, ordinal }) => localId(ID_FORM[form], path, qualname, ordinal)
  );
  idsOf.set(facts, ids);
  return ids;
}

// walkers/code/indexing/file-symbols.ts
function fileSymbols(path, facts) {
  const { definitions } = facts;
  const ids = definitionIds(path, facts);
  const extras = extraSymbols(path, facts);
  const enclosed = enclosing2(facts, ids, bodiesOf(extras));
  const parents = /* @__PURE__ */ new Map();
  for (const [index, { parent, span }] of definitions.entries())
    parents.set(ids[index] ?? "", enclosed(parent, startOf2(span)));
  const definitionSpans = definitions.map(({ span }) => span);
  for (const one of extras) {
    const start = startOf2(one.fact.span);
    if (one.as === "key") parents.set(one.id, parentKey(path, facts, one.fact));
    else if (one.as === "route" && one.fact.body === null) {
      const [handler2 = -1] = one.fact.handlers;
      parents.set(one.id, parents.get(ids[handler2] ?? "") ?? null);
    } else
      parents.set(one.id, enclosed(definitionAround(facts, definitionSpans, start), start, one.fact.body));
  }
  const tests = facts.tests.map(
    (fact) => fact.definition === null ? testId(path, fact) : ids[fact.definition]
  );
  return {
    fileId: fileId(path),
    ids,
    extras,
    tests: new Set(tests.filter((id) => id !== void 0)),
    parents,
    routes: facts.routes.map(({ routes }) => routes.map((route) => routeId(path, route))),
    enclosing: (from, place2) => enclosed(from, place2)
  };
}
function extraSymbols(path, { tests, routes, keys }) {
  return [
    ...tests.flatMap(
      (fact) => fact.definition === null ? [{ as: "test", id: testId(path, fact), fact }] : []
    ),
    ...routes.flatMap(
      (fact) => fact.routes.map((route) => ({ as: "route", id: routeId(path, route), fact, route }))
    ),
    ...keys.map((fact) => ({ as: "key", id: keyId(path, fact), fact }))
  ];
}
function testId(path, { qualname, ordinal }) {
  return localId("test", path, qualname, ordinal);
}
function routeId(path, { name: name2, ordinal }) {
  return localId("route", path, name2, ordinal);
}
function keyId(path, { name: name2, ordinal }) {
  return localId("config", path, name2, ordinal);
}
function parentKey(path, { keys }, { parent }) {
  const key = parent === null ? void 0 : keys[parent];
  return key ? keyId(path, key) : null;
}
function bodiesOf(extras) {
  const bodies = /* @__PURE__ */ new Map();
  for (const one of extras)
    if (one.as !== "key" && one.fact.body !== null && !bodies.has(one.fact.body))
      bodies.set(one.fact.body, one.id);
  return [...bodies].map(([span, id]) => ({ id, span })).sort((a, b) => compare(startOf2(a.span), startOf2(b.span)));
}
function enclosing2({ definitions }, ids, bodies) {
  const spans = bodies.map(({ span }) => span);
  const outer = outerSpans(spans);
  return (from, place2, inside2) => {
    const owner = from === null ? null : definitions[from];
    const last2 = inside2 ? outer[spans.indexOf(inside2)] ?? null : lastBefore(spans, place2);
    for (let at = last2; at !== null; at = outer[at] ?? null) {
      const body = bodies[at];
      if (!body || !holds(body.span, place2)) continue;
      if (owner && holds(body.span, startOf2(owner.span))) break;
      return body.id;
    }
    return from === null ? null : ids[from] ?? null;
  };
}
function definitionAround({ definitions }, spans, place2) {
  let at = lastBefore(spans, place2);
  for (; at !== null; at = definitions[at]?.parent ?? null) {
    const span = spans[at];
    if (span && holds(span, place2)) return at;
  }
  return null;
}
function outerSpans(spans) {
  const open = [];
  return spans.map((span, index) => {
    for (let at = open.at(-1); at !== void 0; at = open.at(-1)) {
      const around3 = spans[at];
      if (around3 && holds(around3, startOf2(span))) break;
      open.pop();
    }
    const outer = open.at(-1) ?? null;
    open.push(index);
    return outer;
  });
}
function lastBefore(spans, place2) {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = low + high >> 1;
    const span = spans[middle];
    if (span && compare(startOf2(span), place2) <= 0) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : low - 1;
}
function startOf2({ start_line, start_column }) {
  return { line: start_line, column: start_column };
}
function holds(span, place2) {
  return compare(startOf2(span), place2) <= 0 && compare(place2, { line: span.end_line, column: span.end_column }) < 0;
}
function compare(a, b) {
  return a.line - b.line || a.column - b.column;
}

// walkers/code/text/counted-words.ts
var PLACES = new Map(CODE_TEXT.fields.map((field, at) => [field, at]));
var CountedWords = class {
  id;
  words = /* @__PURE__ */ new Map();
  #splitter;
  constructor(id, splitter) {
    this.id = id;
    this.#splitter = splitter;
  }
  /** Counts the words of a text in a field. */
  count(field, text) {
    const at = placeOf(field);
    for (const word of this.#splitter.of(text)) {
      const counts = this.words.get(word);
      if (counts) counts[at] = (counts[at] ?? 0) + 1;
      else {
        const fresh = new Array(CODE_TEXT.fields.length).fill(0);
        fresh[at] = 1;
        this.words.set(word, fresh);
      }
    }
  }
  /** What is in one field is not counted in another once more: as far as it stands there. */
  takeAway(field, from) {
    this.takeAwayOf(this, field, from);
  }
  /** As {@link takeAway}, for what is in a field of another document. */
  takeAwayOf(other, field, from) {
    const [taken, left] = [placeOf(field), placeOf(from)];
    for (const [word, counts] of other.words) {
      const count = counts[taken] ?? 0;
      const own = count > 0 ? this.words.get(word) : void 0;
      if (own) own[left] = Math.max(0, (own[left] ?? 0) - count);
    }
  }
  /** Whether all that is in one field is in another, too. */
  holdsAll(field, where) {
    const [inner, outer] = [placeOf(field), placeOf(where)];
    for (const counts of this.words.values()) if ((counts[inner] ?? 0) > (counts[outer] ?? 0)) return false;
    return true;
  }
};
function placeOf(field) {
  return PLACES.get(field) ?? 0;
}

// walkers/code/text/heads.ts
function headsOf({ definitions }, { ids, extras }) {
  const taken = /* @__PURE__ */ new Set();
  const ofDefinitions = definitions.map(({ name: name2, qualname, signature: signature2, docstring, span }, index) => {
    return { id: ids[index] ?? "", name: name2, qualname, signature: signature2, docstring, span };
  });
  const ofExtras = extras.map((extra) => {
    const span = spanOf(extra);
    const own = span && !taken.has(span) ? span : null;
    if (own) taken.add(own);
    const { signature: signature2 } = extra.fact;
    return { id: extra.id, ...namesOf2(extra), signature: signature2, docstring: null, span: own };
  });
  return [...ofDefinitions, ...ofExtras];
}
function namesOf2(extra) {
  if (extra.as === "test") return { name: extra.fact.title, qualname: extra.fact.qualname };
  const { name: name2 } = extra.as === "route" ? extra.route : extra.fact;
  return { name: name2, qualname: name2 };
}
function spanOf({ as, fact }) {
  return as === "route" && fact.body === null ? null : fact.span;
}

// walkers/code/text/own-text.ts
function piecesOfOwners(text, spans, file, take) {
  const offsetAt = offsets(text);
  const stretches = spans.map(({ owner, span }) => ({
    owner,
    start: offsetAt(span.start_line, span.start_column),
    end: offsetAt(span.end_line, span.end_column)
  })).sort((a, b) => a.start - b.start || b.end - a.end);
  const open = [{ owner: file, end: text.length }];
  let at = 0;
  const upTo = (end) => {
    for (let inner = open.at(-1); inner && at < end; inner = open.at(-1)) {
      const stop = Math.min(end, inner.end);
      if (stop > at) take(inner.owner, text.slice(at, stop));
      at = Math.max(at, stop);
      if (inner.end > at || open.length === 1) return;
      open.pop();
    }
  };
  for (const { owner, start, end } of stretches) {
    upTo(start);
    while (open.length > 1 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    open.push({ owner, end: Math.min(end, open.at(-1)?.end ?? end) });
  }
  upTo(text.length);
}
function offsets(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (line, column) => Math.min(text.length, (starts[line - 1] ?? text.length) + column);
}

// walkers/code/text/without-secrets.ts
function withoutSecrets(text) {
  let result2 = "";
  let at = 0;
  for (const { start, end } of secretSpans(text)) {
    result2 += text.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return at === 0 ? text : result2 + text.slice(at);
}

// walkers/code/text/file-documents.ts
function fileDocuments({ path, text, facts }, words) {
  const shown = withoutSecrets(text);
  const clean = shown === text ? (part) => part : withoutSecrets;
  const symbols = facts && fileSymbols(path, facts);
  const heads = facts && symbols ? headsOf(facts, symbols) : [];
  const file = new CountedWords(fileId(path), words);
  file.count("name", path.slice(path.lastIndexOf("/") + 1));
  file.count("path", path);
  file.count("doc", clean(facts?.docstring ?? ""));
  const documents = /* @__PURE__ */ new Map([[file.id, file]]);
  for (const { id, name: name2, qualname, signature: signature2, docstring } of heads) {
    const own = new CountedWords(id, words);
    own.count("name", clean(name2));
    own.count("owner", clean(ownerOf2(qualname, name2)));
    own.count("path", path);
    own.count("signature", clean(signature2));
    own.count("doc", clean(docstring ?? ""));
    own.takeAway("name", "signature");
    documents.set(id, own);
  }
  const around3 = (id) => documents.get(symbols?.parents.get(id) ?? file.id) ?? file;
  for (const { id, name: name2 } of heads) around3(id).count("parts", clean(name2));
  const spans = heads.flatMap(({ id, span }) => span ? [{ owner: id, span }] : []);
  piecesOfOwners(shown, spans, file.id, (owner, piece) => documents.get(owner)?.count("body", piece));
  file.takeAway("doc", "body");
  for (const { id, span, docstring } of heads) {
    const own = documents.get(id);
    if (!own || span === null) continue;
    own.takeAway("name", "body");
    own.takeAway("signature", "body");
    if (docstring === null) continue;
    if (own.holdsAll("doc", "body")) own.takeAway("doc", "body");
    else around3(id).takeAwayOf(own, "doc", "body");
  }
  return documents.values();
}
function ownerOf2(qualname, name2) {
  return qualname.endsWith(name2) ? qualname.slice(0, -name2.length) : qualname;
}

// walkers/code/text/file-text.ts
var LOCK_FILE = /(?:^|[\\/])(?:[^\\/]*[-.]lock(?:\.[a-z]+)?|npm-shrinkwrap\.json|go\.sum)$/i;
function documentMaker() {
  const words = new Words();
  return ({ path, text, facts }) => {
    const isData = facts === null && (text.length > LIMITS.indexedText.max || LOCK_FILE.test(path));
    const shown = isData ? "" : text;
    return madeDocuments(CODE_TEXT, fileDocuments({ path, text: shown, facts }, words));
  };
}

// ../s/mk.ts
var files = (await discover(process.argv[2], { languageOf })).files;
var parser = await createParser(languages);
var all = [];
var c = process.cpuUsage().user;
for (const f of files) {
  const r = readText(f);
  if (r.ok) all.push({ path: f.path, text: r.text, facts: f.extracted ? parser.extractFile(f.path, r.text) : null });
}
var ms = () => process.cpuUsage().user / 1e3;
console.log("parse", ms() - c / 1e3);
for (let i = 0; i < 3; i++) {
  let t = ms();
  for (const x of all) secretSpans(x.text);
  const m = ms() - t;
  t = ms();
  for (const x of all) tokensOf(x.text);
  const k = ms() - t;
  const W = new Words();
  t = ms();
  for (const x of all) W.of(x.text);
  const w = ms() - t;
  t = ms();
  for (const x of all) if (x.facts) fileSymbols(x.path, x.facts);
  const s = ms() - t;
  const make = documentMaker();
  t = ms();
  for (const x of all) make(x);
  const d = ms() - t;
  console.log({ mask: m, tokens: k, words: w, symbols: s, make: d });
}
parser.delete();
