import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type AllowedUses, sourceFaults } from './source-rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Commands print for a person, and stdio is the transport. No other file uses standard output. */
const STDOUT = [
  'src/cli/mcp-command.ts',
  'src/cli/process/output.ts',
  'src/cli/store-commands/import-run.ts',
  'demo/output/transcript.ts',
];

async function sources(): Promise<string[]> {
  const found = await Promise.all(
    ['src', 'tools'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
    ),
  );
  return found.flat().filter((file) => file.endsWith('.ts'));
}

it('keeps standard output to the transport and the commands, SQL to the store, and uses no console', async () => {
  const faults: string[] = [];
  const files = await sources();
  for (const file of files) {
    const allowed = { stdout: STDOUT.includes(file), sql: file.startsWith('src/store/') };
    for (const fault of sourceFaults(await readFile(join(root, file), 'utf8'), allowed))
      faults.push(`${file}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(files.length).toBeGreaterThan(80);
});

describe('the check of a source file', () => {
  const nothing: AllowedUses = { stdout: false, sql: false };

  it.each([
    ["console.log('a')", 'console'],
    ["const say = console['error'];", 'console'],
    ["process.stdout.write('a')", 'process.stdout'],
    ["process['stdout'].write('a')", 'process.stdout'],
    ['const { stdin, stdout: out } = process; out.end();', 'process.stdout'],
    ["import { sql } from 'kysely'; sql`a`", 'a value of kysely'],
    ["db.exec('delete from waterings')", 'SQL "delete from waterings"'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    ['db.prepare(`select ${columns} from modules`)', 'SQL "select x from modules"'],
    ["const text = 'PRAGMA synchronous = off';", 'SQL "PRAGMA synchronous = off"'],
  ])('finds %s', (text, fault) => {
    expect(sourceFaults(text, nothing)).toEqual([fault]);
  });

  it.each([
    "import type { Kysely } from 'kysely'; export type A = Kysely<unknown>;",
    "import { type Kysely } from 'kysely'; export type A = Kysely<unknown>;",
    "// console.log and process.stdout in a comment, select a from b\nexport const a = 'Select the probe in the list.';",
    "process.stderr.write('a'); logger.console.log('a');",
    "export const hint = 'Update Acequia, or delete it from the folder.';",
  ])('lets pass %s', (text) => {
    expect(sourceFaults(text, nothing)).toEqual([]);
  });

  it('lets the transport have standard output and the store its SQL', () => {
    expect(sourceFaults("process.stdout.write('a')", { stdout: true, sql: false })).toEqual([]);
    expect(sourceFaults("import { sql } from 'kysely'; sql`select 1`", { stdout: false, sql: true })).toEqual([]);
  });
});
