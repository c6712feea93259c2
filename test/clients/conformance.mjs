/**
 * Runs the newest official conformance suite, for both eras of the protocol, and MCPJam's checks
 * against the packed program.
 *
 *   node test/clients/conformance.mjs [--write] [--folder PATH]
 *
 * Options as of run.mjs. The suite was made for a server of its own with tools, prompts and
 * resources of its own names. A scenario that fails only because one of those is missing does not
 * apply; the names are in the results. Any other failure is one of the program.
 */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { newestNode, npmInstall, outputOf } from './commands.mjs';
import { packedProgram } from './packed-program.mjs';
import { readWire, recordedAddress } from './wire.mjs';

const MCPJAM_DRIVER = fileURLToPath(new URL('./drivers/mcpjam.mjs', import.meta.url));

/** Version 1.14 imports what later versions of the client moved, though it allows them. */
const MCPJAM_OVERRIDES = { '@modelcontextprotocol/client': '2.0.0-alpha.2' };

/**
 * MCPJam's checks of the protocol over HTTP and of apps over both transports; they need no account.
 */
async function mcpjamChecks({ command, url, key }, folder, node) {
  const at = join(folder, 'mcpjam');
  await npmInstall(at, ['@mcpjam/sdk'], {
    path: `${node.bin}${delimiter}${process.env.PATH}`,
    overrides: MCPJAM_OVERRIDES,
  });
  const { version } = JSON.parse(
    await readFile(join(at, 'node_modules', '@mcpjam', 'sdk', 'package.json'), 'utf8'),
  );
  await copyFile(MCPJAM_DRIVER, join(at, 'mcpjam.mjs'));
  const args = [join(at, 'mcpjam.mjs'), JSON.stringify({ command, url, key })];
  const output = await outputOf(join(node.bin, 'node'), args, { cwd: at, env: process.env });
  return { version, checks: JSON.parse(output.slice(output.indexOf('RESULT') + 'RESULT'.length)) };
}

/** What npm calls the latest lacks the scenarios of the newer era. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const AGES = ['2025-11-25', '2026-07-28'];

const { values } = parseArgs({
  options: { write: { type: 'boolean' }, folder: { type: 'string' } },
});
const RESULTS = new URL('./conformance.json', import.meta.url);
const say = (text) => process.stderr.write(`${text}\n`);

async function installSuite(folder, node) {
  const at = join(folder, 'conformance');
  await npmInstall(at, [SUITE]);
  const main = join(at, 'node_modules', '@modelcontextprotocol', 'conformance');
  const { version } = JSON.parse(await readFile(join(main, 'package.json'), 'utf8'));
  const env = { ...process.env, PATH: `${node.bin}${delimiter}${process.env.PATH}` };
  const run = (...args) =>
    outputOf(join(node.bin, 'node'), [join(main, 'dist', 'index.js'), ...args], { cwd: at, env });
  return { version, run };
}

/**
 * Each scenario for servers with the versions of the protocol, or the word extension, that it is
 * for.
 */
async function scenariosOf(suite) {
  const listed = await suite.run('list', '--server');
  return [...listed.matchAll(/^ +- (\S+) \[(.+)\]$/gm)].map(([, name, ages]) => ({
    name,
    ages: ages.split(','),
  }));
}

async function runScenario(suite, program, name, age, folder) {
  const output = join(folder, 'conformance-results', age ?? 'extensions', name);
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  const log = join(output, 'wire.ndjson');
  // The suite cannot send a key.
  const address = await recordedAddress(program.url, { 'x-api-key': program.key }, log);
  const version = age ? ['--spec-version', age] : [];
  const options = ['--url', address.url, '--scenario', name, ...version, '--output-dir', output];
  try {
    // It exits with 1 if a check fails; the checks are read from its file.
    await suite.run('server', ...options).catch(() => undefined);
  } finally {
    address.close();
  }
  const results = (await readdir(output, { recursive: true })).find((file) =>
    file.endsWith('checks.json'),
  );
  const checks = results ? JSON.parse(await readFile(join(output, results), 'utf8')) : [];
  return { checks, wire: readWire(log) };
}

/** Names of what the program offers, by which it is seen what a scenario wants besides. */
async function offeredBy(program) {
  const headers = { 'x-api-key': program.key, 'content-type': 'application/json' };
  const ask = async (method) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
    const accept = 'application/json, text/event-stream';
    const response = await fetch(program.url, {
      method: 'POST',
      headers: { ...headers, accept },
      body,
    });
    return (await response.json()).result;
  };
  const [{ tools }, { prompts }, { resources }] = await Promise.all(
    ['tools/list', 'prompts/list', 'resources/list'].map(ask),
  );
  return new Set(
    [...tools, ...prompts].map(({ name }) => name).concat(resources.map(({ uri }) => uri)),
  );
}

/**
 * The messages of the program are checked against the schema of the protocol, whatever else a
 * scenario wants.
 */
const SCHEMA_CHECK = 'wire-schema-valid';
/**
 * By the beginning of the scenarios. One that is offered must be announced; only the others do not
 * apply.
 */
const EXTENSIONS = {
  tasks: { extension: 'io.modelcontextprotocol/tasks', isOffered: false },
  'sep-2640': { extension: 'io.modelcontextprotocol/skills', isOffered: true },
};
const SUBSCRIBING = ['resources/subscribe', 'resources/unsubscribe'];
const NAMED = [
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  ...SUBSCRIBING,
];
const METHOD_NOT_FOUND = -32601;

/**
 * Names that a scenario asked for and was told do not exist, and whether it asked for nothing else.
 * Over HTTP the earlier era has no subscriptions, to whatever resource.
 */
function missingNames({ exchanges }, offered) {
  const asked = exchanges
    .filter(({ request: { method } }) => NAMED.includes(method))
    .map(({ request: { method, params }, answer }) => ({
      method,
      name: params?.name ?? params?.uri ?? params?.ref?.name,
      answer,
    }));
  const isMissing = ({ method, name, answer }) => {
    if (name === undefined || offered.has(name) || /nonexistent/.test(name)) return false;
    const refusal = answer?.error ?? (answer?.result?.isError ? answer.result : undefined);
    if (SUBSCRIBING.includes(method)) return refusal?.code === METHOD_NOT_FOUND;
    return refusal !== undefined && JSON.stringify(refusal).includes(name);
  };
  return {
    missing: [...new Set(asked.filter(isMissing).map(({ name }) => name))],
    isAll: asked.length > 0 && asked.every(isMissing),
  };
}

/** The suite says so of a check whose tool is not in the list. */
const namesMissing = ({ errorMessage }) =>
  String(errorMessage).match(/(?<=')[\w:/.-]+(?=')|\btest_\w+/g) ?? [];
const isNotTestable = ({ errorMessage }, offered) =>
  /^Not testable/.test(errorMessage) ||
  (/not found|does not list/i.test(errorMessage) &&
    namesMissing({ errorMessage }).some((name) => !offered.has(name)));

function judge({ checks, wire }, offered, { extension, isOffered } = {}) {
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  const passed = checks.filter(
    ({ status, id }) => status === 'SUCCESS' && id !== SCHEMA_CHECK,
  ).length;
  const { missing, isAll } = missingNames(wire, offered);
  const isExcused = (check) =>
    check.id !== SCHEMA_CHECK && (isAll || isNotTestable(check, offered));
  const real = failed.filter((check) => !isExcused(check));
  const isAnnounced =
    !extension ||
    wire.exchanges.some(({ answer }) => answer?.result?.capabilities?.extensions?.[extension]);
  if (!isAnnounced && isOffered)
    return { verdict: 'failed', passed, why: `the extension ${extension} is not announced` };
  if (!isAnnounced && real.every(({ id }) => id !== SCHEMA_CHECK))
    return { verdict: 'does not apply', why: `the extension ${extension} is not offered` };
  if (real.length > 0)
    return {
      verdict: 'failed',
      passed,
      why: real.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('; '),
    };
  if (isAll || failed.length > 0) {
    const said = failed
      .flatMap(namesMissing)
      .filter((name) => /^(test|json_schema)/.test(name) && !offered.has(name));
    const names = [...new Set([...missing, ...said])];
    const why =
      names.length > 0
        ? `asks for ${names.map((name) => `\`${name}\``).join(', ')}`
        : reasonOf(failed);
    // A scenario of many checks may want a tool for a few of them only.
    return {
      verdict: isAll || passed === 0 ? 'does not apply' : 'passes in part',
      passed,
      untested: failed.length,
      why,
    };
  }
  return passed > 0
    ? { verdict: 'passes', passed }
    : { verdict: 'does not apply', why: reasonOf(checks) };
}

const reasonOf = (checks) => {
  const reasons = checks.map(
    ({ errorMessage, details }) =>
      errorMessage ?? details?.reason ?? details?.note ?? details?.message,
  );
  return reasons.find(Boolean) ?? 'the suite gave no reason';
};

async function runSuite(suite, program, folder) {
  const offered = await offeredBy(program);
  const scenarios = await scenariosOf(suite);
  const results = {};
  for (const age of AGES) {
    say(`Conformance ${suite.version}, ${age} …`);
    results[age] = {};
    for (const { name } of scenarios.filter(({ ages }) => ages.includes(age)))
      results[age][name] = judge(await runScenario(suite, program, name, age, folder), offered);
  }
  say(`Conformance ${suite.version}, extensions …`);
  results.extensions = {};
  for (const { name } of scenarios.filter(({ ages }) => ages.includes('extension'))) {
    const extension = Object.entries(EXTENSIONS).find(([start]) => name.startsWith(start))?.[1];
    results.extensions[name] = judge(
      await runScenario(suite, program, name, undefined, folder),
      offered,
      extension,
    );
  }
  return results;
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'acequia-conformance-')));
await mkdir(folder, { recursive: true });
let results;
try {
  const node = await newestNode(folder);
  const program = await packedProgram(await mkdtemp(join(folder, 'program-')));
  try {
    const suite = await installSuite(folder, node);
    const scenarios = await runSuite(suite, program, folder);
    results = {
      suite: suite.version,
      node: node.version,
      scenarios,
      mcpjam: await mcpjamChecks(program, folder, node),
    };
  } finally {
    await program.stop();
  }
} finally {
  if (!values.folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
if (values.write) await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);

const failures = [];
for (const [age, scenarios] of Object.entries(results.scenarios))
  for (const [name, { verdict, passed = 0, why = '' }] of Object.entries(scenarios)) {
    process.stdout.write(`${age} ${name}: ${verdict}, ${passed} checks passed. ${why}\n`);
    if (verdict === 'failed') failures.push(`${age} ${name}: ${why}`);
  }
for (const { suite, id, status, reason } of results.mcpjam.checks) {
  process.stdout.write(`MCPJam ${suite} ${id}: ${status} ${reason ?? ''}\n`);
  if (status === 'failed') failures.push(`MCPJam ${suite} ${id}: ${reason}`);
}
for (const failure of failures) say(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
