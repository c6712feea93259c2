import type { z } from 'zod/v3';
import { operationsByName } from '../../../tools/index.ts';
import assignDevice from '../../../tools/ingest/assign-device.ts';
import listDevices from '../../../tools/ingest/list-devices.ts';
import { entryOf } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { quote, visibleText } from '../../domain/strings.ts';
import { needsDepths, sentFields } from '../../language/ingest/field-texts.ts';
import { suggestedFields } from '../../language/ingest/suggested-fields.ts';
import { outcomeOfMessage, positionsReadInPart } from '../../language/ingest/unread-reasons.ts';
import { readToolArguments } from '../../operation/arguments/tool-arguments.ts';
import { LOCAL_OWNER } from '../../operation/authorization.ts';
import { LocalRunner } from '../../operation/local/local-runner.ts';
import type { OperationResult } from '../../operation/operation-result.ts';
import type { OperationRunner } from '../../operation/operation-runner.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { ListedDevice, ListedUnread } from '../../schema/ingest/device.ts';
import { allUsers } from '../../store/company/companies.ts';
import { shellWord } from '../connect/client-snippets.ts';
import { describeNewestReadings } from '../doctor/farm-checks.ts';
import { formatRoughDuration } from '../doctor/findings.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { formatTerminalCount, print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { terminalText } from '../terminal-text.ts';
import { assertNoCompanyOption } from './company-option.ts';
import { openCompanyStore } from './company-store.ts';

interface DevicesOptions {
  readonly company?: string | undefined;
  readonly json?: boolean | undefined;
}

const MAX_DEVICES = 10_000;

export async function runDevices(
  { company, json }: DevicesOptions,
  settings: Settings,
): Promise<number> {
  try {
    const args = { limit: MAX_DEVICES };
    const options = { company, settings };
    const { body: listed, advisories } = await runOperation(listDevices, args, options);
    if (json) print(`${JSON.stringify(listed, null, 2)}\n`);
    else print(formatDeviceList(listed, advisories, settings.clock()));
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error, ({ status }) => status === 400);
  }
}

function formatDeviceList(
  { data, unread }: z.output<typeof listDevices.output>,
  advisories: readonly Advisory[],
  now: number,
): string {
  if (data.length + unread.length === 0)
    return 'No device has sent anything yet; docs/probes.md shows how to connect one.\n';

  const devices = data.map((device) => formatDevice(device, now));
  const readInPart = positionsReadInPart(advisories);
  const messages = unread.map((message, position) =>
    formatUnread(message, readInPart.has(position), now),
  );
  return [...devices, ...messages].join('');
}

function formatUnread(
  { sender, via, receivedAt, reason, payload }: ListedUnread,
  isReadInPart: boolean,
  now: number,
): string {
  const by = via === null || via === sender ? '' : ` by ${via}`;
  const age = formatAge(now - Date.parse(receivedAt));
  const line = visibleText(
    `${sender}  ${outcomeOfMessage(isReadInPart)} ${age} ago${by}: ${reason}`,
  );
  return `${line}\n${formatPayload(payload)}`;
}

const formatPayload = (payload: string | null): string =>
  payload === null ? '' : `  ${cutText(visibleText(payload))}\n`;

function formatDevice(listed: ListedDevice, now: number): string {
  const { device, module, depths, lastSeenAt, storedUnassigned, newest, payload } = listed;
  const depthList = depths.length > 0 ? `, ${depths.join(', ')} cm` : '';
  const assignment = module === null ? 'not assigned' : `${quote(module)}${depthList}`;
  const parts = [
    `${device}  ${assignment}`,
    lastSeenAt === null
      ? 'has not sent yet'
      : `last ${formatAge(now - Date.parse(lastSeenAt))} ago`,
    ...describeRadio(listed),
  ];
  if (newest.length > 0 && module !== null)
    parts.push(`not read: ${describeNewestReadings(newest)}`);
  else if (newest.length > 0)
    parts.push(
      describeNewestReadings(newest),
      `${formatTerminalCount(storedUnassigned, 'reading')} stored`,
    );

  return `${visibleText(parts.join('; '))}\n${formatPayload(payload)}${formatNextCommand(listed)}`;
}

/** The command that assigns a device. */
function formatNextCommand({ device, module, newest }: ListedDevice): string {
  if (module !== null) return '';
  const fields = sentFields(newest);
  const isKnown = fields.length < newest.length || fields.length === 0;
  const known = needsDepths(newest) ? ' DEPTH' : '';
  const meaning = isKnown ? known : ` --fields ${shellWord(suggestedFields(fields))}`;
  return `  acequia ingest assign ${shellWord(visibleText(device))} MODULE${visibleText(meaning)}\n`;
}

type Radio = Pick<ListedDevice, 'batteryPercent' | 'batteryV' | 'rssi' | 'snr'>;

function describeRadio({ batteryPercent, batteryV, rssi, snr }: Radio): string[] {
  const parts: string[] = [];
  if (batteryPercent !== null) parts.push(`battery ${batteryPercent} %`);
  else if (batteryV !== null) parts.push(`battery ${batteryV} V`);
  if (rssi !== null) parts.push(`signal ${rssi} dBm${snr === null ? '' : `, SNR ${snr} dB`}`);
  return parts;
}

/** About two lines of a terminal. */
const MAX_PAYLOAD_LENGTH = 140;

const cutText = (text: string): string =>
  text.length <= MAX_PAYLOAD_LENGTH
    ? text
    : `${text.slice(0, MAX_PAYLOAD_LENGTH)}… (whole with --json)`;

const formatAge = (ms: number): string =>
  ms < MINUTE_MS ? 'less than a minute' : formatRoughDuration(ms);

interface AssignArguments {
  readonly device: string;
  readonly fields?: readonly string[] | undefined;
  readonly module: string;
  readonly depths: readonly number[];
  readonly replaces?: string | undefined;
  readonly since?: string | undefined;
}

export async function runAssign(
  assignment: AssignArguments,
  { company }: DevicesOptions,
  settings: Settings,
): Promise<number> {
  try {
    const args = { ...assignment };
    const options = { company, settings };
    const { body: assigned, advisoryTexts = [] } = await runOperation(assignDevice, args, options);
    const atDepths = assigned.depths.length > 0 ? ` at ${assigned.depths.join(', ')} cm` : '';
    const fields = assigned.fields.length > 0 ? ` Its fields: ${assigned.fields.join('; ')}.` : '';
    const storedReadings =
      assigned.earlierReadings > 0
        ? ` Stored ${formatTerminalCount(assigned.earlierReadings, 'reading')} it had already sent.`
        : '';

    const leftOut = advisoryTexts.map((text) => ` ${terminalText(text)}`).join('');
    print(
      `${visibleText(assigned.device)} is assigned to ${visibleText(quote(assigned.module))}${atDepths}.${visibleText(fields)}${storedReadings}${leftOut}\n`,
    );

    return EXIT.done;
  } catch (error) {
    return reportRefusal(error, ({ status }) => status === 400);
  }
}

interface RunOptions {
  readonly company?: string | undefined;
  readonly settings: Settings;
}

/** `output` only gives the body its type: the operation or the remote service has validated it. */
interface TypedOperation<Output extends z.ZodTypeAny> {
  readonly name: string;
  readonly output: Output;
}

/** Runs in the store, or on a remote service. */
async function runOperation<Output extends z.ZodTypeAny>(
  { name }: TypedOperation<Output>,
  args: Record<string, unknown>,
  { company, settings }: RunOptions,
): Promise<
  Pick<OperationResult, 'advisories' | 'advisoryTexts'> & { readonly body: z.output<Output> }
> {
  const operation = entryOf(operationsByName, name);
  const runner = await (settings.remote === null
    ? openStoreRunner(settings, company)
    : openServiceRunner(settings, settings.remote, company));
  try {
    return await runner.run(operation, {
      rawArguments: args,
      wantsSummary: false,
      wantsAdvisoryTexts: true,
      readArguments: (context) => readToolArguments(operation, args, context),
    });
  } finally {
    await runner.close();
  }
}

async function openServiceRunner(
  { apiKey: key, clock, lang }: Settings,
  url: string,
  company: string | undefined,
): Promise<OperationRunner> {
  assertNoCompanyOption(company);
  const { RemoteRunner } = await import('../../remote/remote-runner.ts');
  return new RemoteRunner({ url, key, clock, lang });
}

async function openStoreRunner(
  settings: Settings,
  companyName: string | undefined,
): Promise<OperationRunner> {
  const { clock, lang, logLevel } = settings;
  const log = lazyLog(logLevel);
  const { store, company, jobs, close } = await openCompanyStore(settings, companyName, log);
  try {
    const owner = (await store.read(company.id, allUsers)).find(({ role }) => role === 'OWNER');
    const caller = { ...LOCAL_OWNER, companyId: company.id, userId: owner?.id ?? null };
    return new LocalRunner({
      store,
      clock,
      lang,
      operations: operationsByName,
      // The list of changes names a surface that a person knows; this command has none of its own.
      source: 'mcp',
      identify: async () => ({ caller, company }),
      onReadings: jobs.evaluateAlerts,
      report: log.unexpectedError,
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}
