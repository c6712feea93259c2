import { MINUTE_MS } from '../../domain/periods.ts';
import { quote, visibleText } from '../../language/text.ts';
import { chooseCompany } from '../../service/company/company.ts';
import { assignDevice, type ListedDevice, listDevices } from '../../service/ingest/device-assignment.ts';
import { formatRoughDuration } from '../doctor/findings.ts';
import { EXIT, openExistingStore, reportRefusal } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { formatTerminalCount, print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { openStoreTarget } from './batch-target.ts';
import { describeNewest } from './device-text.ts';

interface DevicesOptions {
  readonly company?: string | undefined;
  readonly json?: boolean | undefined;
}

export async function runDevices({ company: name, json }: DevicesOptions, settings: Settings): Promise<number> {
  try {
    const store = await openExistingStore(settings.db);
    try {
      const company = await chooseCompany(store, name);
      const devices = await store.read(company.id, listDevices);
      if (json) print(`${JSON.stringify(devices, null, 2)}\n`);
      else print(devices.map((device) => formatDevice(device, settings.clock())).join('') || NO_DEVICE);
      return EXIT.done;
    } finally {
      await store.close();
    }
  } catch (error) {
    return reportRefusal(error);
  }
}

const NO_DEVICE = 'No device has sent anything yet; docs/probes.md shows how to connect one.\n';

function formatDevice(
  { device, module, depths, lastSeenAt, kept, newest, payload }: ListedDevice,
  now: number,
): string {
  const name = visibleText(device);
  if (module !== null)
    return `${name}  ${visibleText(quote(module))}${depths.length > 0 ? `, ${depths.join(', ')} cm` : ''}\n`;
  const ageMs = now - lastSeenAt;
  const age = ageMs < MINUTE_MS ? 'less than a minute' : formatRoughDuration(ageMs);
  const readings = newest.length > 0 ? `; ${describeNewest(newest)}; ${formatTerminalCount(kept, 'reading')} kept` : '';
  return `${name}  not assigned; last ${age} ago${readings}\n${payload === null ? '' : `  ${visibleText(payload)}\n`}`;
}

interface AssignArguments {
  readonly device: string;
  readonly module: string;
  readonly depths: readonly number[];
}

export async function runAssign(
  { device, module, depths }: AssignArguments,
  { company }: DevicesOptions,
  settings: Settings,
): Promise<number> {
  try {
    const store = await openExistingStore(settings.db);
    const assigned = await chooseCompany(store, company)
      .then(({ id }) => store.write(id, (db) => assignDevice(db, device, module, depths, settings.clock())))
      .finally(() => store.close());
    const target = await openStoreTarget(settings, company, lazyLog(settings.logLevel));
    try {
      const { readings } = await target.write({ readings: [] });
      const at = depths.length > 0 ? ` at ${depths.join(', ')} cm` : '';
      print(
        `${visibleText(assigned.device)} is assigned to ${visibleText(quote(assigned.module))}${at}. Of ${formatTerminalCount(assigned.kept, 'reading')} kept, ${readings.written} written, ${readings.unchanged + readings.changed} known.\n`,
      );
    } finally {
      await target.close();
    }
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error);
  }
}
