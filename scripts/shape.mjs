// Counts how the sources read: `node scripts/shape.mjs` prints the figures that a test holds below
// their limits, and the functions that exceed them.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { root } from './repository.mjs';

const FOLDERS = ['src', 'tools'];
const MAX_COLUMNS = 100;
/** Longer functions should be divided into paragraphs. */
const PARAGRAPH_LINES = 15;
const LONG_LINES = 60;
const COMPLEX_PATHS = 15;

const FUNCTION_TYPES = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'PrivateMethod',
  'Constructor',
  'MethodProperty',
  'GetterProperty',
  'SetterProperty',
]);

const BRANCH_TYPES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
]);

const BRANCH_OPERATORS = new Set(['&&', '||', '??']);

const isSource = (name) => /\.tsx?$/.test(name) && !name.includes('.generated.');

function sourcesIn(folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }));
}

const withoutParentheses = (node) =>
  node.type === 'ParenthesisExpression' ? withoutParentheses(node.expression) : node;

/** What `...` spreads in an array, a call or an object; null for other nodes. */
function spreadExpression(node) {
  if (node.type === 'SpreadElement') return withoutParentheses(node.arguments);
  return node.spread && node.expression ? withoutParentheses(node.expression) : null;
}

function isBranch(node) {
  if (BRANCH_TYPES.has(node.type)) return true;
  // Without a test it is the default of a switch.
  if (node.type === 'SwitchCase') return node.test !== null;
  return node.type === 'BinaryExpression' && BRANCH_OPERATORS.has(node.operator);
}

function isNestedTernary(node) {
  const parts = [node.test, node.consequent, node.alternate].map(withoutParentheses);
  return parts.some(({ type }) => type === 'ConditionalExpression');
}

class SourceFile {
  #path;
  #lines;
  /** Of each line, in bytes: the parser counts bytes. */
  #lineStarts = [0];
  nonNullAssertions = 0;
  conditionalSpreads = 0;
  nestedTernaries = [];
  functions = [];

  constructor({ path, text }) {
    this.#path = path;
    this.#lines = text.split('\n');
    for (const line of this.#lines)
      this.#lineStarts.push(this.#lineStarts.at(-1) + Buffer.byteLength(line) + 1);

    const options = { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' };
    this.#visit(parseSync(text, options).body, null);
  }

  get lineCount() {
    return this.#lines.length - 1;
  }

  get wideLines() {
    return this.#lines.filter((line) => line.length > MAX_COLUMNS).length;
  }

  #visit(node, enclosing) {
    if (Array.isArray(node)) {
      for (const item of node) this.#visit(item, enclosing);
      return;
    }
    if (node === null || typeof node !== 'object') return;

    if (node.type === 'TsNonNullExpression') this.nonNullAssertions++;
    if (spreadExpression(node)?.type === 'ConditionalExpression') this.conditionalSpreads++;
    if (node.type === 'ConditionalExpression' && isNestedTernary(node))
      this.nestedTernaries.push(this.#place(node.span.start));
    if (enclosing !== null && isBranch(node)) enclosing.paths++;

    const within = FUNCTION_TYPES.has(node.type) ? this.#addFunction(node) : enclosing;
    for (const [key, value] of Object.entries(node)) if (key !== 'span') this.#visit(value, within);
  }

  #addFunction(node) {
    const { start, end } = node.function?.span ?? node.span;
    const [first, last] = [this.#lineAt(start), this.#lineAt(end - 1)];
    const inner = this.#lines.slice(first, last - 1);
    const added = {
      place: `${this.#path}:${first}`,
      lines: last - first + 1,
      hasBlankLine: inner.some((line) => line.trim() === ''),
      paths: 1,
    };
    this.functions.push(added);
    return added;
  }

  /** Offsets of the parser begin at 1. */
  #lineAt(offset) {
    const byte = offset - 1;
    const next = this.#lineStarts.findIndex((start) => start > byte);
    return next === -1 ? this.#lines.length : next;
  }

  #place(offset) {
    return `${this.#path}:${this.#lineAt(offset)}`;
  }
}

const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

/** Figures of sources, `{ path, text }` each, with the places of what should be rare. */
export function countShape(sources = FOLDERS.flatMap(sourcesIn)) {
  const files = sources.map((source) => new SourceFile(source));
  const functions = files.flatMap((file) => file.functions);
  const divisible = functions.filter(({ lines }) => lines >= PARAGRAPH_LINES);
  const lines = sumOf(files.map((file) => file.lineCount));
  const over = (limit) =>
    functions.filter((fn) => fn.lines > limit).map((fn) => `${fn.place} ${fn.lines}`);

  return {
    files: files.length,
    lines,
    shareOfWideLines: sumOf(files.map((file) => file.wideLines)) / lines,
    shareWithParagraphs:
      divisible.filter(({ hasBlankLine }) => hasBlankLine).length / divisible.length,
    nonNullAssertionsPer1000Lines:
      (1000 * sumOf(files.map((file) => file.nonNullAssertions))) / lines,
    conditionalSpreads: sumOf(files.map((file) => file.conditionalSpreads)),
    nestedTernaries: files.flatMap((file) => file.nestedTernaries),
    longFunctions: over(LONG_LINES),
    longestFunction: Math.max(...functions.map((fn) => fn.lines)),
    complexFunctions: functions
      .filter(({ paths }) => paths > COMPLEX_PATHS)
      .map(({ place, paths }) => `${place} ${paths}`),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [figure, value] of Object.entries(countShape())) {
    if (Array.isArray(value)) console.log([`${figure}: ${value.length}`, ...value].join('\n  '));
    else console.log(`${figure}: ${Number.isInteger(value) ? value : value.toFixed(4)}`);
  }
