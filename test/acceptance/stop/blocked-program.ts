import { setTimeout as pause } from 'node:timers/promises';
import { newBaseFarm } from '../../base-farm.ts';
import { type RunningCommand, startCommand, waitWhileRunning } from '../program.ts';

const hook = new URL('./blocking-hook.mjs', import.meta.url).href;
const withHook = { env: { NODE_OPTIONS: `--import=${hook}` } };

const runningFor = async (...args: string[]): Promise<RunningCommand> =>
  startCommand([...args, '--db', await newBaseFarm()], withHook);

const clientInfo = { name: 'test', version: '1' };
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
const FIRST_CALL = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_company', arguments: {} } },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('');

/** Each program that runs until a signal ends it, or for long. */
export const LASTING_PROGRAMS: Readonly<Record<string, () => Promise<RunningCommand>>> = {
  serve: () => runningFor('serve', '--port', '0'),
  mcp: async () => {
    const program = await runningFor('mcp');
    program.child.stdin.write(FIRST_CALL);
    return program;
  },
  'ingest mqtt': () =>
    runningFor(
      ...['ingest', 'mqtt', '--broker', 'mqtt://127.0.0.1:1'],
      ...['--preset', 'zigbee2mqtt/soil-sensor'],
    ),
  tick: () => runningFor('tick', '--until', '2027-12-01', '--every', '1min'),
};

/** Blocks the event loop for far longer than the tests wait. */
export async function blockLoop(program: RunningCommand): Promise<void> {
  await waitWhileRunning(program, () => program.stderr().includes('thread started'));
  program.child.kill('SIGUSR2');
  await waitWhileRunning(program, () => program.stderr().includes('blocked'));
  // The thread needs no event loop to start.
  await pause(1_000);
}
