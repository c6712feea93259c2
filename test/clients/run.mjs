/**
 * Tries the packed program with real clients: packs it, installs the tarball in an empty folder, puts a farm in, and has
 * each client connect to it, over standard input and output and over HTTP, and call a tool where it can without a model.
 * Prints a table. The clients are installed for it from the registry; as they run they reach nothing but this machine.
 *
 *   node test/clients/run.mjs [--latest] [--keep] [client …]
 *
 * --latest takes the newest of each client instead of the version named in clients.mjs, --keep leaves the folder there.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENTS } from './clients.mjs';
import { installClient } from './installed-client.mjs';
import { packedProgram } from './packed-program.mjs';

const words = process.argv.slice(2);
const [latest, keep] = ['--latest', '--keep'].map((option) => words.includes(option));
const named = words.filter((word) => !word.startsWith('--'));
const unknown = named.find((word) => !CLIENTS.some(({ name }) => name === word));
if (unknown !== undefined) {
  process.stderr.write(`There is no client ${unknown}. There are: ${CLIENTS.map(({ name }) => name).join(', ')}.\n`);
  process.exit(2);
}

const say = (text) => process.stderr.write(`${text}\n`);
const oneLine = (error) =>
  String(error?.message ?? error)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** What a try came to: what it says, or why it failed. */
async function tried(attempt) {
  try {
    return { text: await attempt() };
  } catch (error) {
    return { text: `FAILED: ${oneLine(error)}`, isFailure: true };
  }
}

const folder = await mkdtemp(join(tmpdir(), 'acequia-clients-'));
const rows = [];
let failures = 0;
try {
  say('Packing and installing Acequia …');
  const program = await packedProgram(folder);
  try {
    for (const client of CLIENTS.filter(({ name }) => named.length === 0 || named.includes(name))) {
      say(`Installing ${client.name} …`);
      const version = latest ? 'latest' : client.version;
      const installed = await installClient(client, version, join(folder, 'clients')).catch((error) => error);
      if (installed instanceof Error) {
        rows.push([client.name, version, `not installed: ${oneLine(installed)}`, '–']);
        continue;
      }
      const near = await tried(() => client.near(installed, program));
      const far = await tried(() => client.far(installed, program));
      failures += [near, far].filter(({ isFailure }) => isFailure).length;
      rows.push([client.name, installed.version, near.text, far.text]);
    }
    const missing = await program.unwritten();
    failures += missing.length;
    if (missing.length > 0) say(`Answered, and not in the book: ${missing.join(', ')}`);
  } finally {
    await program.stop();
  }
} finally {
  if (keep) say(`Everything is left in ${folder}`);
  else await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
const table = [['client', 'version', 'standard input and output', 'HTTP'], ['---', '---', '---', '---'], ...rows];
process.stdout.write(`Node ${process.version}, ${process.platform} ${process.arch}\n\n`);
process.stdout.write(table.map((row) => `| ${row.join(' | ')} |\n`).join(''));
process.exitCode = failures > 0 ? 1 : 0;
