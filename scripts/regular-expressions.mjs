// Finds every regular expression of the program and checks it for backtracking with recheck:
// `node scripts/regular-expressions.mjs` examines those that the list of findings lacks and writes
// the list anew; with --all it examines all again. A test compares the list with the sources.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { importBundled, root } from './repository.mjs';

const FOLDERS = ['src', 'tools', 'prompts'];
const IS_SOURCE = /\.(?:tsx?|m?js)$/;
const FINDINGS = join(root, 'test', 'policy', 'patterns', 'findings.generated.json');
/** Imports every module that builds patterns, and makes those build theirs that do so when called. */
const BUILT_PATTERNS = 'test/policy/patterns/built-patterns.ts';
/** Limits of steps decide, not of time, so that the findings do not depend on the machine. */
const PARAMETERS = { timeout: 60_000, incubationTimeout: null, attackTimeout: null };

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The version of recheck that the findings are of. */
const VERSION = devDependencies.recheck;

function sourceFiles() {
  const entries = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  return entries
    .filter((entry) => entry.isFile() && IS_SOURCE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

const isNew = (node, name) =>
  node?.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.value === name;

const isCall = (node, name) =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'Identifier' &&
  node.callee.value === name;

/** Each regular expression of a source: a literal, or the line on which the program builds one. */
export function patternsIn(text, isJsx = false) {
  const lineStarts = [0];
  for (const line of text.split('\n'))
    lineStarts.push(lineStarts.at(-1) + Buffer.byteLength(line) + 1);
  // Offsets of the parser are in bytes, from 1.
  const lineOf = ({ start }) => lineStarts.findLastIndex((offset) => offset <= start - 1) + 1;

  const literals = [];
  const built = [];
  const visit = (node, isShort) => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item, isShort);
      return;
    }
    if (node === null || typeof node !== 'object') return;

    const line = node.span === undefined ? 0 : lineOf(node.span);
    if (node.type === 'RegExpLiteral')
      literals.push({ line, source: node.pattern, flags: node.flags, isShort });
    if (isNew(node, 'RegExp') || isCall(node, 'RegExp')) built.push({ line, isShort });

    for (const [key, value] of Object.entries(node)) {
      const isArgument = key === 'arguments' && isNew(node, 'ShortTextPattern');
      const isWrapper = key === 'expression' && !('type' in node);
      if (key !== 'span') visit(value, isArgument || (isWrapper && isShort));
    }
  };
  visit(parseSync(text, { syntax: 'typescript', tsx: isJsx, target: 'es2022' }).body, false);
  return { literals, built };
}

/** The place, "src/a.ts:7", of whoever builds a pattern. */
function placeOfCaller() {
  const lines = new Error().stack.split('\n').slice(1);
  const caller = lines.find((line) => !line.includes('scripts/regular-expressions.mjs'));
  const [, path, line] = /(?:file:\/\/)?([^\s()]+):(\d+):\d+\)?$/.exec(caller ?? '') ?? [];
  return path === undefined ? null : `${relative(root, path).replaceAll('\\', '/')}:${line}`;
}

/** What the program builds with `new RegExp`, with the place where it does. */
async function builtPatterns() {
  const patterns = [];
  process.setSourceMapsEnabled(true);
  globalThis.RecordedRegExp = new Proxy(RegExp, {
    construct(target, args) {
      const pattern = new target(...args);
      const { source, flags } = pattern;
      patterns.push({ place: placeOfCaller(), source, flags });
      return pattern;
    },
  });
  await importBundled(BUILT_PATTERNS, { RegExp: 'RecordedRegExp' });
  return patterns;
}

/**
 * All patterns, each with the places where it stands and whether all of these are behind a
 * `ShortTextPattern`, and the places that build patterns of which the list has none.
 */
export async function listPatterns() {
  const files = sourceFiles().map((path) => ({
    path,
    ...patternsIn(readFileSync(join(root, path), 'utf8'), path.endsWith('x')),
  }));
  const places = new Map(
    files.flatMap(({ path, built }) =>
      built.map(({ line, isShort }) => [`${path}:${line}`, isShort]),
    ),
  );
  const built = (await builtPatterns()).filter(({ place }) => places.has(place));

  const found = [
    ...files.flatMap(({ path, literals }) =>
      literals.map(({ line, ...pattern }) => ({ place: `${path}:${line}`, ...pattern })),
    ),
    ...built.map((pattern) => ({ ...pattern, isShort: places.get(pattern.place) })),
  ];
  const patterns = new Map();
  for (const { place, source, flags, isShort } of found) {
    const key = keyOf(source, flags);
    const known = patterns.get(key) ?? { key, source, flags, isShort: true, places: [] };
    patterns.set(key, {
      ...known,
      isShort: known.isShort && isShort,
      places: [...new Set([...known.places, place])],
    });
  }

  const seen = new Set(built.map(({ place }) => place));
  return {
    patterns: [...patterns.values()],
    unseen: [...places.keys()].filter((place) => !seen.has(place)),
  };
}

const keyOf = (source, flags) =>
  createHash('sha256').update(`${VERSION} /${source}/${flags}`).digest('hex').slice(0, 16);

export const readFindings = () => JSON.parse(readFileSync(FINDINGS, 'utf8'));

const UNESCAPED = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', 0: '\0' };

/** The parts of "'a' + '- '.repeat(900)"; those that are repeated make the attack longer. */
function attackParts(text) {
  const parts = text.matchAll(/'((?:[^'\\]|\\.)*)'(\.repeat\(\d+\))?/g);
  return [...parts].map(([, written, repeated]) => ({
    text: written.replace(/\\(?:x(..)|u(....)|(.))/g, (_, hex, unit, letter) =>
      letter === undefined
        ? String.fromCharCode(Number.parseInt(hex ?? unit, 16))
        : (UNESCAPED[letter] ?? letter),
    ),
    isRepeated: repeated !== undefined,
  }));
}

/** What recheck finds of a pattern: "safe", or what it costs and the text that shows it. */
export async function examine({ source, flags }) {
  const { check } = await import('recheck');
  const { status, complexity, attack, error } = await check(source, flags, PARAMETERS);
  if (status === 'safe') return 'safe';
  return {
    pattern: `/${source}/${flags}`,
    cost: complexity?.summary ?? `undecided: ${error?.kind ?? 'unknown'}`,
    witness: attack === undefined ? null : attackParts(attack.pattern),
  };
}

async function writeFindings({ examinesAll }) {
  const known = examinesAll ? {} : readFindings();
  const { patterns } = await listPatterns();
  const findings = {};
  for (const pattern of patterns.sort((one, other) => (one.key < other.key ? -1 : 1))) {
    findings[pattern.key] = known[pattern.key] ?? (await examine(pattern));
    if (findings[pattern.key] !== 'safe' && !pattern.isShort)
      console.log(
        `${pattern.places.join(', ')}: /${pattern.source}/${pattern.flags} ${findings[pattern.key].cost}`,
      );
  }
  writeFileSync(FINDINGS, `${JSON.stringify(findings, null, 1)}\n`);
  console.log(`${patterns.length} regular expressions`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--list')) console.log(JSON.stringify(await listPatterns()));
  else await writeFindings({ examinesAll: process.argv.includes('--all') });
}
