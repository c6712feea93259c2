import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { ownCommand } from '../../../src/cli/connect/executable.ts';
import { AnswerLog } from '../../../src/cli/init/answer-log.ts';
import { DraftFile } from '../../../src/cli/init/draft-file.ts';
import { interviewFarm } from '../../../src/cli/init/farm-interview.ts';
import type { Terminal } from '../../../src/cli/process/terminal.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'acequia-interview-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DEFAULTS = {
  lang: 'en',
  countryCode: 'FR',
  now: Date.UTC(2026, 6, 1),
  timeZoneOf: () => 'Europe/Paris',
} as const;

/** A person who answers in this order, and then closes the terminal. */
function person(answers: readonly string[]) {
  const asked: string[] = [];
  const terminal: Terminal = {
    isInteractive: true,
    async ask(question) {
      asked.push(question.trim());
      return answers[asked.length - 1] ?? null;
    },
    close: () => undefined,
  };
  return { terminal, asked };
}

it('goes on with a draft where it was left, and with what Enter meant then', async () => {
  const draft = new DraftFile(join(folder, 'data', 'draft.json'));
  const log = new AnswerLog([], (answers) => draft.write(answers));
  const left = person(['Mas Rouge', '', '', '', 'North block']);
  await expect(interviewFarm(left.terminal, DEFAULTS, log)).rejects.toThrow('The answers ended');
  expect(draft.read()).toEqual(['Mas Rouge', 'FR', 'Europe/Paris', '', 'North block']);
  expect(statSync(join(folder, 'data', 'draft.json')).mode & 0o077).toBe(0);

  const back = person(['olive', '', 'loam', '60', '', '']);
  const elsewhere = { ...DEFAULTS, countryCode: 'ES', timeZoneOf: () => 'Europe/Madrid' };
  const farm = await interviewFarm(back.terminal, elsewhere, new AnswerLog(draft.read()));
  expect(back.asked[0]).toMatch(/^Crop/);
  expect(farm.company).toEqual({
    name: 'Mas Rouge',
    countryCode: 'FR',
    timezone: 'Europe/Paris',
  });
  expect(farm.parcels).toMatchObject([{ name: 'North block', type: 'olive' }]);
  draft.remove();
  expect(draft.read()).toEqual([]);
});

it('asks again what cannot be read, and equipment that none has, without what was answered before', async () => {
  const log = new AnswerLog();
  const equipment = ['drip', '', '900 mm/h', ''];
  const { terminal } = person([
    ...['Mas', 'Atlantis', '', '', '', 'North block', ''],
    ...equipment,
    ...['drip', '', '4 mm/h', '', '', '', '', ''],
  ]);
  const farm = await interviewFarm(terminal, DEFAULTS, log);
  expect(farm.parcels?.[0]?.installation).toMatchObject({ system: 'drip', flowMmPerH: 4 });
  log.rewind();
  const answers = Array.from({ length: 40 }, () => log.next()).filter((each) => each !== null);
  expect(answers).not.toContain('900 mm/h');
  expect(answers).not.toContain('Atlantis');
});

it('prints commands that work from where it stands', async () => {
  const dist = join(folder, 'clone', 'dist');
  const bin = join(folder, 'bin');
  for (const each of [dist, bin]) mkdirSync(each, { recursive: true });
  const program = join(dist, 'acequia.js');
  writeFileSync(program, '', { mode: 0o755 });
  const before = process.cwd();
  vi.stubEnv('PATH', bin);
  try {
    process.chdir(join(folder, 'clone'));
    expect(ownCommand(program)).toBe(`node ${join('dist', 'acequia.js')}`);
    process.chdir(folder);
    process.chdir('bin');
    expect(ownCommand(program)).toBe(`node ${program}`);
    const cached = join(folder, '_npx', '1a2b', 'node_modules', 'water', 'dist', 'acequia.js');
    mkdirSync(dirname(cached), { recursive: true });
    writeFileSync(cached, '');
    expect(ownCommand(cached)).toBe('npx water');
    symlinkSync(program, join(bin, 'acequia'));
    expect(ownCommand(program)).toBe('acequia');
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
  }
});
