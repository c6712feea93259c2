import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { operationsByName, tools } from '../../../../tools/index.ts';
import { baseFarmForFile, newBaseFarm } from '../../../base-farm.ts';
import { afterTest } from '../../../cleanup.ts';
import { HOUR, iso, MINUTE } from '../../../time.ts';
import { toolCallRequest } from '../../mcp/http/mcp-http-client.ts';
import { serverArguments } from '../../mcp-session.ts';
import { CLOCK } from '../../program.ts';
import { initializeRaw, startRawServer } from '../../raw-server.ts';
import { createTestKey, startServing } from '../../rest-service.ts';
import { restRequest, toolArguments } from '../../test-surfaces.ts';
import { greatestFields } from './greatest-arguments.ts';

const END = Date.parse(CLOCK);
const MAX_BODY_BYTES = 16 * 1_048_576;
const MAX_PASTED_LENGTH = 1_000_000;

/** Rows are padded, because a batch has at most 200,000 readings. */
const readingsCsv = (length: number): string => {
  const rows = ['module,type,depth,time,value'];
  for (let size = rows[0]!.length, n = 0; size < length - 200; n++) {
    const value = String(20 + (n % 100) / 10).padEnd(60);
    rows.push(`A1,humidity,10,${iso(END - n * MINUTE)},${value}`);
    size += rows.at(-1)!.length + 1;
  }
  return rows.join('\n');
};

const many = (count: number, item: (n: number) => object) =>
  Array.from({ length: count }, (_, n) => item(n));
const readingAt = (n: number) => ({
  module: 'A1',
  type: 'humidity',
  depth: 10,
  time: iso(END - n * MINUTE),
  value: 25,
});

const PASTED_FILE = { module: 'North 1', csv: readingsCsv(MAX_PASTED_LENGTH) };

/** Each list of a batch with as many items as it may have, within 16 MiB. */
const BATCHES: Readonly<Record<string, () => object>> = {
  readings: () => ({ readings: many(170_000, readingAt) }),
  'readings of unknown devices': () => ({
    readings: many(150_000, (n) => ({ ...readingAt(n), module: `unknown ${n}` })),
  }),
  rain: () => ({
    rain: many(50_000, (n) => ({ module: 'A1', time: iso(END - n * MINUTE), mm: 0.2 })),
  }),
  weather: () => ({
    weather: many(100_000, (n) => ({ module: 'A1', time: iso(END - n * MINUTE), windMs: 2 })),
  }),
  gateways: () => ({
    gateways: many(10_000, (n) => ({ imei: String(356_938_035_643_809 + n), lastSeen: iso(END) })),
  }),
  devices: () => ({
    readings: [readingAt(0)],
    devices: many(10_000, (n) => ({
      device: `device ${n}`,
      batteryPercent: 80,
      payload: 'ff'.padEnd(1_000, '0'),
    })),
  }),
  unread: () => ({
    unread: many(1_000, (n) => ({
      sender: `s${n}`,
      via: 'v',
      reason: 'r',
      payload: 'p'.repeat(2_000),
    })),
  }),
  csv: () => ({ csv: readingsCsv(15_000_000) }),
};

/** The first try may compile code or wait for the processor; the best one counts. */
const MAX_TRIES = 3;

/** `stretches` are those of more than 250 ms that the program has reported. */
async function expectNoLongStretch(
  stretches: () => Promise<readonly string[]>,
  send: () => Promise<unknown>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = await stretches();
    await send();
    const after = await stretches();
    if (tries === MAX_TRIES || isDeepStrictEqual(before, after)) {
      expect(after).toEqual(before);
      return;
    }
  }
}

async function serveCounting() {
  const db = await newBaseFarm();
  const options = [
    '--rate-limit',
    '0',
    '--clock',
    CLOCK,
    '--metrics-port',
    '0',
    '--log-level',
    'info',
  ];
  const service = await startServing(db, options);
  const { key } = await createTestKey(db, '--surface', 'mcp');
  const heldStretches = async (): Promise<string[]> => {
    const text = await (await fetch(service.metrics!)).text();
    return text.match(/^acequia_long_stretches_total\{.*$/gm) ?? [];
  };
  const post = async (path: string, type: string, body: string): Promise<number> => {
    const accept = 'application/json, text/event-stream';
    const headers = { 'x-api-key': key, 'content-type': type, accept };
    const response = await fetch(new URL(path, service.base), { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  return { service, key, heldStretches, post };
}

describe('the event loop is held for no more than 250 ms', { timeout: HOUR }, () => {
  it('by a request with all that it may have', async () => {
    const { service, key, heldStretches } = await serveCounting();
    for (const operation of operationsByName.values())
      await expectNoLongStretch(heldStretches, async () =>
        (await restRequest(service.base, key, operation, greatestFields(operation))).arrayBuffer(),
      );
  });

  it('by a call of a tool with all that it may have', async () => {
    const { heldStretches, post } = await serveCounting();
    const call = (name: string, args: object) =>
      expectNoLongStretch(heldStretches, () =>
        post('/mcp', 'application/json', JSON.stringify(toolCallRequest(name, args))),
      );
    for (const tool of tools) await call(tool.name, toolArguments(tool, greatestFields(tool)));
    await call('import_readings', PASTED_FILE);
  });

  it('by a call over standard input and output', async () => {
    const args = [...serverArguments(await baseFarmForFile(), {}), '--log-level', 'info'];
    const raw = await initializeRaw(startRawServer(args, { after: afterTest }));
    let log = '';
    raw.child.stderr.on('data', (text) => {
      log += text;
    });
    const held = async () => log.match(/^.*the event loop was held.*$/gm) ?? [];
    const call = (name: string, args: object) =>
      expectNoLongStretch(held, () => raw.answer(raw.call(name, args)));

    for (const tool of tools) await call(tool.name, toolArguments(tool, greatestFields(tool)));
    await call('import_readings', PASTED_FILE);
  });

  it.each(Object.entries(BATCHES))('by a batch of %s', async (_, batch) => {
    const { heldStretches, post } = await serveCounting();
    const body = JSON.stringify(batch());
    expect(body.length).toBeLessThan(MAX_BODY_BYTES);
    await expectNoLongStretch(heldStretches, async () =>
      expect(await post('/v1/ingest', 'application/json', body)).toBe(200),
    );
  });

  it('by a file of 16 MiB', async () => {
    const { heldStretches, post } = await serveCounting();
    const file = readingsCsv(MAX_BODY_BYTES);
    await expectNoLongStretch(heldStretches, async () =>
      expect(await post('/v1/ingest', 'text/csv', file)).toBe(200),
    );
  });
});
