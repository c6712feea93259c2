/**
 * Tries the packed program with real clients: packs it, installs the tarball in an empty folder,
 * puts a farm in, and has each client list, call, draw, read a resource and get a prompt, over
 * standard input and output and over HTTP, in every era of the protocol that it can be made to
 * speak. Assistants talk to a scripted model on this machine. The newest clients are installed for
 * it from the registry; as they run they reach nothing but this machine.
 *
 *   node test/clients/run.mjs [--write] [--folder PATH] [client …]
 * --write puts the results into results.json, of which `npm run docs` makes the tables of
 * docs/clients.md. --folder keeps everything there instead of in a temporary folder.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENTS } from './clients.mjs';
import { newestNode } from './commands.mjs';
import { FEATURES, judge, whatReachedTheModel } from './evidence.mjs';
import { emptyHome, installClient } from './installed-client.mjs';
import { scriptedModel } from './model-endpoint.mjs';
import { packedProgram } from './packed-program.mjs';
import { scriptFor, stepsFor } from './steps.mjs';
import { readWire, recordedAddress, recordedCommand } from './wire.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, folder: { type: 'string' } },
});
const unknown = positionals.find((word) => !CLIENTS.some(({ name }) => name === word));
if (unknown !== undefined) {
  process.stderr.write(
    `There is no client ${unknown}. There are: ${CLIENTS.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

const RESULTS = new URL('./results.json', import.meta.url);
const say = (text) => process.stderr.write(`${text}\n`);
const oneLine = (error) =>
  String(error?.message ?? error)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** One client over one transport in one mode. */
async function tryClient(client, installed, program, transport, mode, folder) {
  const home = await emptyHome(folder, client.name, transport, mode);
  const log = join(home, 'wire.ndjson');
  const steps = stepsFor(program.watering(client.name, `${transport} ${mode}`));
  const model = await scriptedModel(scriptFor(steps));
  const address = transport === 'HTTP' ? await recordedAddress(program.url, {}, log) : undefined;
  const target = address
    ? { url: address.url, headers: { 'x-api-key': program.key } }
    : { command: recordedCommand(program.command, log) };
  try {
    const evidence = await client
      .attempt(installed, { home, mode, steps, model, ...target })
      .catch((error) => error);
    const wire = readWire(log);
    if (evidence instanceof Error) say(`  ${oneLine(evidence)}`);
    const everything = [evidence.everything, ...model.requests.map(({ text }) => text)].join('\n');
    const judged = judge(client, { ...evidence, everything }, wire);
    await writeFile(
      join(home, 'requests.json'),
      JSON.stringify(model.requests.map(({ body }) => body)),
    );
    return {
      transport,
      mode,
      age: wire.version ?? 'none',
      opening: wire.opening[0] ?? 'nothing',
      ...judged,
      ...(client.hasModel ? { model: whatReachedTheModel(model.requests, wire) } : {}),
    };
  } finally {
    model.close();
    address?.close();
  }
}

async function tryEverywhere(client, program, node, folder) {
  say(`Installing ${client.name} …`);
  const installed = await installClient(client, join(folder, 'clients'), node).catch(
    (error) => error,
  );
  if (installed instanceof Error)
    return { title: client.title, skipped: `not installed: ${oneLine(installed)}` };
  const tries = [];
  for (const transport of client.transports ?? ['stdio', 'HTTP'])
    for (const mode of client.modes) {
      say(`${client.name} ${installed.version}, ${transport}, ${mode} …`);
      tries.push(await tryClient(client, installed, program, transport, mode, folder));
    }
  return { title: client.title, version: installed.version, tries };
}

const isAnswered = (note, all) =>
  Object.entries(all).some(([name, { tries = [] }]) =>
    tries.some(
      ({ transport, mode, call }) => call === 'yes' && note === `${name} ${transport} ${mode}`,
    ),
  );

const failuresOf = ({ tries = [] }) =>
  tries.flatMap((each) =>
    FEATURES.filter((feature) => each[feature].failed).map((feature) => ({ ...each, feature })),
  );

function rowsOf({ title, version, skipped, tries }) {
  if (skipped) return [[title, skipped]];
  return tries.map((each) => {
    const cells = FEATURES.map(
      (feature) => each[feature].failed ?? each[feature].absent ?? each[feature],
    );
    return [
      `${title} ${version}`,
      each.transport,
      each.mode,
      each.age,
      each.opening,
      ...cells,
      JSON.stringify(each.model),
    ];
  });
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'acequia-clients-')));
await mkdir(folder, { recursive: true });
const results = {};
let missing = [];
try {
  say('Packing and installing Acequia …');
  const node = await newestNode(folder);
  const program = await packedProgram(await mkdtemp(join(folder, 'program-')));
  try {
    for (const client of CLIENTS.filter(
      ({ name }) => positionals.length === 0 || positionals.includes(name),
    ))
      results[client.name] = await tryEverywhere(client, program, node, folder);
    missing = (await program.unwritten()).filter((note) => isAnswered(note, results));
  } finally {
    await program.stop();
  }
  if (values.write) {
    const before = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '{}'));
    const on = `Node ${node.version}, ${process.platform} ${process.arch}`;
    const clients = Object.fromEntries(
      CLIENTS.map(({ name }) => [name, results[name] ?? before.clients?.[name]]).filter(
        ([, each]) => each,
      ),
    );
    await writeFile(RESULTS, `${JSON.stringify({ ...before, on, clients }, null, 2)}\n`);
  }
} finally {
  if (!values.folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
const head = ['client', 'transport', 'mode', 'age', 'opens with', ...FEATURES, 'model'];
const rows = Object.values(results).flatMap(rowsOf);
process.stdout.write([head, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join(''));
for (const note of missing) say(`FAILED: the watering "${note}" was answered and is not stored`);
const skipped = Object.entries(results).filter(([, result]) => result.skipped);
for (const [name, result] of skipped) say(`FAILED: ${name}: ${result.skipped}`);
for (const [name, result] of Object.entries(results))
  for (const { transport, mode, feature, [feature]: cell } of failuresOf(result))
    say(`FAILED: ${name}, ${transport}, ${mode}, ${feature}: ${cell.failed}`);
const isFailed = Object.values(results).some((each) => failuresOf(each).length > 0);
process.exitCode = missing.length > 0 || skipped.length > 0 || isFailed ? 1 : 0;
