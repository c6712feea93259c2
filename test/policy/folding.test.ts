import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';

/**
 * How often each file folds a text. Only what people say or name may be folded: a folded address,
 * or a folded name of what grants access, would make two persons one. Look at a new caller before
 * it is added here.
 */
const FOLDING_CALLS: Readonly<Record<string, number>> = {
  // Answers of a person to the questions of "acequia init".
  'src/cli/init/answers.ts': 7,
  'src/cli/init/farm-interview.ts': 2,
  // Spoken words.
  'src/domain/strings.ts': 1,
  'src/language/words/farming-terms.ts': 2,
  'src/language/words/nearest-word.ts': 1,
  'src/language/words/number.ts': 1,
  'src/language/words/spoken-name.ts': 1,
  'src/language/words/yes.ts': 1,
  // Names of parcels and probes.
  'src/mcp/resources.ts': 3,
  'src/operation/arguments/name-candidates.ts': 2,
  'src/operation/arguments/name-matches.ts': 2,
  'src/operation/arguments/name-resolution.ts': 1,
  'src/operation/arguments/similar-names.ts': 1,
  'src/page/views/farm-view.tsx': 2,
  'src/service/farm/module-entry.ts': 1,
  'src/service/farm/named-entry.ts': 2,
  'src/service/moisture/water-times.ts': 2,
  'src/service/monitoring/modules.ts': 2,
  // Texts of people in which somebody may be meant.
  'src/service/members/mentions.ts': 3,
  // Crops.
  'src/service/company/seasons.ts': 2,
  // The name of a company: two that look alike are refused, and grants need the exact one.
  'src/service/company/company.ts': 2,
  'src/service/farm/company-entry.ts': 2,
  'src/service/farm/farm-file-problems.ts': 2,
  'src/store/company/companies.ts': 2,
  // Headings of files, and names of devices and their fields.
  'src/service/ingest/csv/column-units.ts': 1,
  'src/service/ingest/csv/text/month-names.ts': 1,
  'src/language/ingest/suggested-fields.ts': 1,
  'src/service/ingest/devices/assignment-checks.ts': 2,
  'src/service/ingest/devices/fields/chosen-fields.ts': 2,
  'src/service/ingest/devices/device-spelling.ts': 2,
  'src/service/ingest/sensor-index.ts': 2,
  'src/service/ingest/weather/weather-columns.ts': 2,
  'src/service/ingest/weather/weather-import.ts': 2,
};

const FOLDING = new Set(['foldText', 'withoutCaseAndAccents']);
const CHANGING_LETTERS = new Set([
  'toLowerCase',
  'toUpperCase',
  'toLocaleLowerCase',
  'toLocaleUpperCase',
  'normalize',
  'localeCompare',
]);
const NAMES = new RegExp([...FOLDING, ...CHANGING_LETTERS].join('|'));
/** The file that compares addresses may change their letters. */
const COMPARISON = 'src/domain/company/mail-address.ts';
const ADDRESS_NAME = /e-?mail|address|recipient|member/i;

type SyntaxNode = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null;

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (!isNode(value)) return;
  yield value;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

const nameOf = (node: unknown): string =>
  isNode(node) && node.type === 'Identifier' ? String(node.value) : '';

const namesIn = (node: unknown): string[] => [...nodesOf(node)].map(nameOf);

interface FoldedText {
  readonly function: string;
  /** The variables and fields from which the text comes. */
  readonly names: readonly string[];
}

/** Calls of folding functions, also as an argument of another, and methods that change letters. */
function foldedTexts(source: string, tsx = false): FoldedText[] {
  const found: FoldedText[] = [];
  for (const node of nodesOf(parseSync(source, { syntax: 'typescript', tsx }).body)) {
    if (node.type !== 'CallExpression') continue;

    const { callee } = node;
    const texts = node.arguments as readonly unknown[];
    if (FOLDING.has(nameOf(callee)))
      found.push({ function: nameOf(callee), names: namesIn(texts) });
    for (const { expression } of texts as { expression?: unknown }[])
      if (FOLDING.has(nameOf(expression)))
        found.push({ function: nameOf(expression), names: namesIn(callee) });

    if (!isNode(callee) || callee.type !== 'MemberExpression') continue;
    const method = nameOf(callee.property);
    if (CHANGING_LETTERS.has(method))
      found.push({ function: method, names: [...namesIn(callee.object), ...namesIn(texts)] });
  }
  return found;
}

const isOfAddress = ({ names }: FoldedText): boolean =>
  names.some((name) => ADDRESS_NAME.test(name));

const root = fileURLToPath(new URL('../..', import.meta.url));

async function foldedTextsByFile(): Promise<Map<string, readonly FoldedText[]>> {
  const found = new Map<string, readonly FoldedText[]>();
  for (const folder of ['src', 'tools'])
    for (const entry of await readdir(join(root, folder), { recursive: true })) {
      const file = `${folder}/${entry}`.replaceAll('\\', '/');
      if (!/\.tsx?$/.test(file)) continue;
      const source = await readFile(join(root, file), 'utf8');
      // Most files have none, and to parse all takes a second.
      if (NAMES.test(source)) found.set(file, foldedTexts(source, file.endsWith('.tsx')));
    }
  return found;
}

describe('folding', () => {
  it('is used by the listed callers alone', async () => {
    const counts: Record<string, number> = {};
    for (const [file, texts] of await foldedTextsByFile()) {
      const calls = texts.filter((text) => FOLDING.has(text.function));
      if (calls.length > 0) counts[file] = calls.length;
    }
    expect(counts).toEqual(FOLDING_CALLS);
  });

  it('never gets an address, nor does any method that changes letters', async () => {
    const faults: string[] = [];
    for (const [file, texts] of await foldedTextsByFile())
      if (file !== COMPARISON)
        for (const text of texts.filter(isOfAddress))
          faults.push(`${file}: ${text.function} of ${text.names.join(' ')}`);
    expect(faults).toEqual([]);
  });

  it.each([
    'foldText(member.email) === foldText(text)',
    'rows.map((row) => row.email.toLowerCase())',
    'const same = foldText(to.userEmail)',
    'emails.map(foldText)',
    "address.normalize('NFKC')",
    'one.email.trim().localeCompare(other)',
  ])('is found where an address goes through it: %s', (source) => {
    expect(foldedTexts(source).some(isOfAddress)).toBe(true);
  });

  it.each(['foldText(company.name)', 'names.map(foldText)', 'isSameAddress(email, text)'])(
    'may be of a name: %s',
    (source) => {
      expect(foldedTexts(source).some(isOfAddress)).toBe(false);
    },
  );
});
