import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { newProgram } from '../../src/cli/command-line.ts';
import { newFolder } from '../temporary-places.ts';
import { type DocumentedCommand, documentedCommands, ROOT } from './documented-commands.ts';

const commands = documentedCommands();

/** Programs of others, whose arguments are theirs. */
const FOREIGN = [
  'age',
  'caddy',
  'cd',
  'claude',
  'curl',
  'docker',
  'export',
  'gzip',
  'jq',
  'mosquitto_pub',
  'pg_basebackup',
  'pg_ctl',
  'pg_dump',
  'pg_restore',
  'tar',
];

/** The line of a crontab, which begins with when it runs. */
const withoutSchedule = (words: readonly string[]): readonly string[] =>
  words[0] === '*' ? words.slice(5).filter((word) => !/^[A-Z_]+=/.test(word)) : words;

/** The words after "acequia"; null for another program. */
function wordsOfAcequia([program = '', file = '', ...words]: readonly string[]) {
  if (program === 'acequia') return [file, ...words];
  return program === 'node' && file.endsWith('dist/acequia.js') ? words : null;
}

/** The program with commands that do nothing once their words are understood. */
function programWithoutActions(): Command {
  const program = newProgram('0.0.0');
  const silence = (command: Command): void => {
    command.action(() => undefined).exitOverride();
    command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    command.commands.forEach(silence);
  };
  silence(program);
  return program.allowExcessArguments(false).allowUnknownOption(false);
}

/** Null if the program takes these words. A file of variables, which it reads at once, is empty. */
async function faultOfWords(words: readonly string[]): Promise<string | null> {
  const envFile = join(await newFolder(), 'acequia.env');
  await writeFile(envFile, '');
  const withFile = words.map((word) => (word === 'acequia.env' ? envFile : word));
  try {
    await programWithoutActions().parseAsync(withFile, { from: 'user' });
    return null;
  } catch (error) {
    const isHelp = error instanceof Error && /^\(output/.test(error.message);
    return isHelp ? null : String(error);
  }
}

const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).scripts;

/** Files of the repository that a command names. */
const filesNamed = (words: readonly string[]): string[] =>
  words.filter(
    (word) =>
      /^(?:bench|eval|packages|scripts|src|test)\//.test(word) || /\.(?:mjs|ts)$/.test(word),
  );

async function faultOf({ words: printed }: DocumentedCommand): Promise<string | null> {
  const words = withoutSchedule(printed);
  const acequia = wordsOfAcequia(words);
  if (acequia !== null) return faultOfWords(acequia);

  const [program = '', first = '', second = ''] = words;
  const missing = filesNamed(words).find((file) => !existsSync(join(ROOT, file)));
  if (missing !== undefined) return `There is no ${missing}.`;
  if (['node', 'npx'].includes(program) || FOREIGN.includes(program)) return null;
  if (program !== 'npm') return `What ${program} is must be said here.`;
  if (['ci', 'test'].includes(first)) return null;
  return first === 'run' && second in scripts ? null : `There is no script ${second}.`;
}

describe('the commands in README and docs', () => {
  it('are found', () => {
    expect(commands.length).toBeGreaterThan(100);
    const texts = commands.map(({ words }) => words.join(' '));
    expect(texts).toContain('acequia import --module North 1 north-1.csv');
    expect(texts).toContain('acequia ingest mqtt --preset ttn/dragino-lse01');
    expect(texts).toContain('jq .data[0].waterMm');
  });

  it.each(commands.map((command) => [command.page, command.text, command] as const))(
    '%s: %s',
    async (_page, _text, command) => {
      expect(await faultOf(command)).toBeNull();
    },
  );

  it.each([
    [['acequia', 'imprt', 'farm.json']],
    [['acequia', 'import', '--modul', 'North 1', 'a.csv']],
    [['acequia', 'keys', 'create', '--preset', 'asistant']],
    [['acequia', 'ingest', 'assign', 'EUI']],
    [['npm', 'run', 'nothing']],
    [['node', 'scripts/nothing.mjs']],
    [['docker', 'build', '-f', 'packages/Nothing', '.']],
    [['acequa', 'doctor']],
  ])('would not pass as %j', async (words) => {
    expect(await faultOf({ page: '', text: '', words })).not.toBeNull();
  });
});
