import { describe, expect, it } from 'vitest';
import { checkConfiguration } from '../../../src/cli/doctor/configuration-check.ts';
import {
  type DoctorFinding,
  findingsAbout,
  formatFindings,
  formatFindingsJson,
  formatRoughDuration,
} from '../../../src/cli/doctor/findings.ts';
import { formatBytes } from '../../../src/cli/process/output.ts';
import { NO_TOOL_FILTER } from '../../../src/operation/tool-filter.ts';

const { good, doubtful, bad } = findingsAbout('mail');

describe('the report of the doctor', () => {
  it('puts level, subject and finding into columns, and the advice below with an arrow', () => {
    expect(formatFindings([good('a server is named'), bad('it is not there', 'Start it.')])).toBe(
      [
        'good      mail           a server is named',
        'bad       mail           it is not there',
        '                         -> Start it.',
        '',
        '1 good, 0 doubtful, 1 bad. 1 problem must be fixed.',
        '',
      ].join('\n'),
    );
  });

  it('wraps a long finding between words, within 100 columns', () => {
    const what = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const lines = formatFindings([doubtful(what, what)])
      .split('\n')
      .slice(0, -3);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    const text = lines.map((line) => line.slice(25).replace(/^(-> | {3})/, '')).join(' ');
    expect(text).toBe(`${what} ${what}`);
  });

  it.each<[DoctorFinding[], string]>([
    [[good('a')], 'All is well.'],
    [[good('a'), doubtful('b', 'c')], 'Acequia works; 1 point should be checked.'],
    [[doubtful('b', 'c'), bad('d', 'e'), bad('f', 'g')], '2 problems must be fixed.'],
  ])('ends with a verdict', (findings, verdict) => {
    expect(formatFindings(findings).trimEnd().endsWith(verdict)).toBe(true);
  });

  it('prints the same findings as JSON', () => {
    const findings = [good('a'), bad('b', 'c')];
    expect(JSON.parse(formatFindingsJson(findings))).toEqual({
      format: 1,
      good: 1,
      doubtful: 0,
      bad: 1,
      findings,
    });
  });
});

it.each([
  [40 * 60_000, '40 minutes'],
  [60_000, '1 minute'],
  [3 * 3_600_000, '3 hours'],
  [12 * 86_400_000, '12 days'],
])('formats %i ms as %s', (ms, text) => expect(formatRoughDuration(ms)).toBe(text));

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [13_365_248, '13.4 MB'],
  [250_000_000_000, '250 GB'],
])('formats %i bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

const settings = {
  db: '/f.db',
  clock: () => 0,
  lang: 'en',
  remote: null,
  toolFilter: NO_TOOL_FILTER,
  apiKey: null,
  logLevel: 'warn',
  clockStartsAt: null,
} as const;

it('names English when no language was chosen', () => {
  const unchosen = { ...settings, lang: undefined };
  const [text] = checkConfiguration(unchosen, { sources: {}, knownVariables: [], env: {} });
  expect(text!.what).toContain('language en (the default)');
});

describe('a variable of the environment', () => {
  const check = (env: Record<string, string>): DoctorFinding[] =>
    checkConfiguration(settings, {
      sources: {},
      knownVariables: ['ACEQUIA_DB', 'ACEQUIA_LANG'],
      env,
    }).slice(1);

  it('is not reported when it is known, or not ours', () => {
    expect(check({ ACEQUIA_DB: 'x', PATH: '/bin', MY_ACEQUIA_DB: 'y' })).toEqual([]);
  });

  it('that resembles none of them is answered with the list', () => {
    expect(check({ ACEQUIA_SOMETHING_ELSE: '1' })).toEqual([
      expect.objectContaining({
        level: 'doubtful',
        advice: 'Acequia reads ACEQUIA_DB, ACEQUIA_LANG.',
      }),
    ]);
  });
});
