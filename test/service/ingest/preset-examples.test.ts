import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isFieldType } from '../../../src/domain/ingest/field-choices.ts';
import type { MeasurementType } from '../../../src/domain/moisture/measurement.ts';
import { allNetworks } from '../../../src/service/ingest/payload/lorawan/networks.ts';
import {
  allPresets,
  findPreset,
  mapOfPresets,
} from '../../../src/service/ingest/payload/presets.ts';
import { type ReadMessage, readPayload } from '../../../src/service/ingest/payload/read-payload.ts';
import { unreadItems } from '../../../src/service/ingest/payload/unread-message.ts';
import { measurementRange, rejectionOfValue } from '../../../src/service/ingest/reading-values.ts';
import { EXAMPLES_SUFFIX, payloadText, presetExamples, presetFiles } from './preset-examples.ts';

const NOW = Date.parse('2026-07-01T10:00:00Z');
const EXAMPLES = presetExamples();

it.each(EXAMPLES.map((example) => [example.name, example] as const))('%s', (_, example) => {
  const { preset, topic = null, units = {}, isAnswer = false, expected } = example;
  const map = mapOfPresets([findPreset(preset)], undefined);
  const payload = Buffer.from(payloadText(example));
  const message = { topic, payload, units: new Map(Object.entries(units)), isAnswer };
  const parsed = readPayload(map, message, NOW);
  const unread = unreadItems({ map, message, via: preset, parsed, now: NOW });
  const named = unread.map(({ reason }) => reason.text);

  if (expected.kind !== undefined) expect(parsed.kind).toBe(expected.kind);
  if (parsed.kind === 'items') {
    const { stored, rejected } = storedValues(parsed, topic !== null);
    named.push(...rejected);
    expect(stored.sort()).toEqual(expected.stored ?? []);
    expect(parsed.failedMeasurements).toBe(expected.failed ?? 0);

    const distinct = (key: 'time' | 'device') =>
      [...new Set(parsed.readings.map((reading) => reading[key]))].sort();
    if (expected.times !== undefined) expect(distinct('time')).toEqual(expected.times);
    if (expected.devices !== undefined) expect(distinct('device')).toEqual(expected.devices);
    if (expected.battery !== undefined)
      expect(
        parsed.devices.map(({ batteryV, batteryPercent }) => batteryV ?? batteryPercent),
      ).toContain(expected.battery);
  } else expect(expected.stored ?? []).toEqual([]);

  if (expected.named === undefined) expect(named).toEqual([]);
  else expect(named.join('; ')).toContain(expected.named);
});

function storedValues({ readings, rain, weather }: ReadMessage, hasTopic: boolean) {
  const stored: string[] = [];
  const rejected: string[] = [];
  for (const { type, value, depth } of readings) {
    if (isFieldType(type ?? '')) continue;
    const reason =
      typeof value === 'number'
        ? rejectionOfValue(value, measurementRange(type as MeasurementType))
        : 'not_a_number';
    if (reason !== null) rejected.push(String(reason));
    else stored.push(`${depth === null && hasTopic ? 'air ' : ''}${type} ${value}`);
  }

  for (const { mm, isRunningTotal } of rain)
    stored.push(isRunningTotal ? `rain up to ${mm}` : `rain ${mm}`);
  for (const { type, value } of weather) stored.push(`${type} ${value}`);
  return { stored, rejected };
}

it('every preset and network has an example beside it', () => {
  const files = presetFiles();
  const ofMessages = files.filter(
    (file) => !/export\.json$/.test(file) && !file.endsWith(EXAMPLES_SUFFIX),
  );
  expect(files.filter((file) => file.endsWith(EXAMPLES_SUFFIX))).toEqual(
    ofMessages.map((file) => file.replace(/\.json$/, EXAMPLES_SUFFIX)),
  );

  // All devices of LoRaWAN on the two networks whose messages are documented best.
  const networks = allNetworks().map(({ name }) => name);
  const withExample = new Set(EXAMPLES.map(({ preset }) => preset));
  const without = allPresets().filter(({ name }) => !withExample.has(name));
  expect(
    without.filter(({ name }) =>
      networks
        .filter((network) => !['ttn', 'chirpstack'].includes(network))
        .every((network) => !name.startsWith(`${network}/`)),
    ),
  ).toEqual([]);
});

it('the built program has no example', () => {
  const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
  const built = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:js|json)$/.test(file))
    .map((file) => readFileSync(join(dist, file), 'utf8'));
  for (const { name, source } of EXAMPLES)
    expect(built.some((text) => text.includes(source) && text.includes(name))).toBe(false);
});
