import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { examine, type ListedPatterns, patternsIn } from '../../../scripts/regular-expressions.mjs';
import findings from './findings.generated.json' with { type: 'json' };

const SCRIPT = fileURLToPath(new URL('../../../scripts/regular-expressions.mjs', import.meta.url));
const known: Readonly<Record<string, unknown>> = findings;

describe('the regular expressions of the program', () => {
  let listed: ListedPatterns;

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, '--list'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    listed = JSON.parse(stdout);
  });

  it('are all found, also those that are built at run time', () => {
    // built-patterns.ts must import the module, and call what builds the pattern.
    expect(listed.unseen).toEqual([]);
    expect(listed.patterns.length).toBeGreaterThan(1_000);
  });

  it('take time in proportion to the text, or read a short one', async () => {
    const faults: string[] = [];
    for (const { key, source, flags, isShort, places } of listed.patterns) {
      if (isShort || known[key] === 'safe') continue;
      const finding = known[key] ?? (await examine({ source, flags }));
      if (finding !== 'safe') faults.push(`${places[0]} /${source}/${flags}`);
    }
    // Write them so that they cannot backtrack, or use ShortTextPattern.
    expect(faults).toEqual([]);
  });

  it('are those of the list of findings', () => {
    // `node scripts/regular-expressions.mjs` writes the list.
    const keys = listed.patterns.map(({ key }) => key);
    expect(Object.keys(known).filter((key) => !keys.includes(key))).toEqual([]);
    expect(listed.patterns.filter(({ key }) => !(key in known))).toEqual([]);
  });

  it('include those of the presets', () => {
    const sources = listed.patterns.map(({ source }) => source);
    expect(sources).toContain('\\bEAG Soil Moisture\\b');
    expect(sources).toContain('^Soil (?<input>\\d) Moist\\.?$');
  });
});

describe('the check', () => {
  it.each([
    ['^[\\t,; ]+(?!.*\\bDate\\b).*\\bSoil ?\\d', 'i'],
    ['^\\W*[\\w-]+\\W+Port ?\\d', 'i'],
  ])('finds that %s backtracks', async (source, flags) => {
    expect(await examine({ source, flags })).toMatchObject({
      cost: expect.stringContaining('polynomial'),
      witness: expect.arrayContaining([expect.objectContaining({ isRepeated: true })]),
    });
  });

  it('passes a pattern that does not', async () => {
    expect(await examine({ source: '^\\d+$', flags: 'u' })).toBe('safe');
  });

  it('finds literals and patterns that are built, and which of them read short texts', () => {
    const text = `const a = /a+/g;
      const b = text.replace(/[/]"/, 'x') + "/no/" + \`\${/c/.source}\`;
      const d = new RegExp(a);
      const e = new ShortTextPattern(/e+/);
      const f = new ShortTextPattern(new RegExp('f'));
      const g = new ShortTextPattern(build(/g/));`;
    const { literals, built } = patternsIn(text);
    expect(literals).toEqual([
      { line: 1, source: 'a+', flags: 'g', isShort: false },
      { line: 2, source: '[/]"', flags: '', isShort: false },
      { line: 2, source: 'c', flags: '', isShort: false },
      { line: 4, source: 'e+', flags: '', isShort: true },
      { line: 6, source: 'g', flags: '', isShort: false },
    ]);
    expect(built).toEqual([
      { line: 3, isShort: false },
      { line: 5, isShort: true },
    ]);
  });
});
