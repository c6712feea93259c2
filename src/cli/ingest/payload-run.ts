import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { quote, visibleText } from '../../domain/strings.ts';
import { needsDepths, sentFields } from '../../language/ingest/field-texts.ts';
import { suggestedFields } from '../../language/ingest/suggested-fields.ts';
import type { DeviceItem } from '../../schema/ingest/ingest-items.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import { allNetworks, findNetwork } from '../../service/ingest/payload/lorawan/networks.ts';
import { allPresets, findPreset, mapOfPresets } from '../../service/ingest/payload/presets.ts';
import { type ParsedMessage, readPayload } from '../../service/ingest/payload/read-payload.ts';
import { shellWord } from '../connect/client-snippets.ts';
import { EXIT, reportRefusal, usageError } from '../process/command.ts';
import { formatTerminalCount, print } from '../process/output.ts';
import { loadMap, type MapOptions } from './map-options.ts';

interface IngestTryOptions extends MapOptions {
  readonly clock?: number;
}

/** Opens no store, so it cannot say whether the modules exist. */
export async function runIngestTry(file: string, options: IngestTryOptions): Promise<number> {
  try {
    // Here --topic is the topic of the one message; it does not replace that of a preset.
    const { map } = await loadMap({ ...options, topic: undefined });
    const payload = await loadPayload(file);
    const parsed = readPayload(
      map,
      { topic: options.topic ?? null, payload },
      options.clock ?? Date.now(),
    );
    print(formatParsed(parsed));
    return parsed.kind === 'items' ? EXIT.done : EXIT.failed;
  } catch (error) {
    return reportRefusal(error, ({ status }) => status === 400);
  }
}

const loadPayload = (file: string): Promise<Buffer> =>
  (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: NodeJS.ErrnoException) => {
    throw usageError(
      `The payload ${quote(file)} cannot be read (${error.code}).`,
      'Give the path of a file that holds one payload as it was sent, or - for standard input.',
      'payload',
    );
  });

const OUTCOME_TEXTS = { unreadable: 'Refused', empty: 'Nothing to read', ignored: 'Ignored' };

function formatParsed(parsed: ParsedMessage): string {
  if (parsed.kind !== 'items')
    return `${OUTCOME_TEXTS[parsed.kind]}: ${visibleText(parsed.reason.text)}.\n`;

  const { readings, rain, weather, gateways, failedMeasurements, rejectedValues, devices } = parsed;
  const statuses = devices.filter(hasStatus).map(withoutPayload);
  const lines = [...readings, ...rain, ...weather, ...statuses, ...gateways].map((item) =>
    visibleText(JSON.stringify(item)),
  );
  if (failedMeasurements > 0) lines.push(`Failed measurements dropped: ${failedMeasurements}.`);
  for (const { sender, reason, count } of rejectedValues)
    lines.push(
      visibleText(
        `Refused of ${quote(sender)}: ${reason.text} (${formatTerminalCount(count, 'value')}).`,
      ),
    );
  // Only a device without an assignment comes with its payload.
  for (const { device, payload } of devices)
    if (payload !== undefined)
      lines.push(
        `Assign it, once: acequia ingest assign ${shellWord(visibleText(device))} MODULE${visibleText(meaningOf(device, parsed))}`,
      );

  return lines.map((line) => `${line}\n`).join('');
}

/** The text to add about a device when it is assigned. */
function meaningOf(
  device: string,
  { readings, rain }: Extract<ParsedMessage, { readonly kind: 'items' }>,
): string {
  const own = readings.filter((reading) => reading.device === device);
  const fields = sentFields(
    own.map(({ type, value }) => ({ type: type ?? '', value: Number(value) })),
  );
  if (fields.length > 0) return ` --fields ${shellWord(suggestedFields(fields))}`;

  const measured = own.map(({ type, depth = null }) => ({ type: type ?? '', depth }));
  const hasRain = rain.some((row) => row.device === device);
  return needsDepths(hasRain ? [...measured, { type: 'rain', depth: null }] : measured)
    ? ' DEPTH'
    : '';
}

const hasStatus = ({ batteryPercent, batteryV, gateway }: DeviceItem): boolean =>
  batteryPercent !== undefined || batteryV !== undefined || gateway !== undefined;

const withoutPayload = ({ payload: _, ...row }: DeviceItem): Partial<DeviceItem> => row;

export function runPresets({ print: name }: { readonly print?: string }): number {
  try {
    if (name === undefined) print(listPresets());
    else print(`${JSON.stringify(mapToChange(name), null, 2)}\n`);
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error);
  }
}

/** The map of a preset, for a person to change: it is no longer that of the preset. */
function mapToChange(name: string): PayloadMap {
  const { readings = [], ...map } = mapOfPresets([findPreset(name)], undefined);
  return { ...map, readings: readings.map(({ preset: _, ...rule }) => rule) };
}

/** A device of LoRaWAN has one line for all networks, which are listed below. */
function listPresets(): string {
  const networks = allNetworks().map(({ name, title }) => [name, title] as const);
  const presets = new Map(
    allPresets().map(({ name, reads }) => {
      const network = findNetwork(name)?.name;
      return [network ? name.replace(network, 'NETWORK') : name, reads] as const;
    }),
  );

  const width = Math.max(...[...presets.keys()].map((name) => name.length));
  const lines = (entries: Iterable<readonly [string, string]>): string =>
    [...entries].map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join('');
  return `${lines(presets)}\nNETWORK is one of:\n${lines(networks)}`;
}
