import { visibleText } from '../../language/text.ts';
import { unassignedDevices } from '../../store/ingest/devices.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { describeNewest } from '../ingest/device-text.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

const MAX_NAMED = 5;

/** Nothing without a device that waits: most farms have none. */
export async function checkDevices(view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];
  const finding = findingsAbout('devices');
  const devices = await view.read((all) => unassignedDevices(all, MAX_NAMED + 1));
  const findings = devices.slice(0, MAX_NAMED).map(({ name, newest }) => {
    const device = visibleText(name);
    return finding.doubtful(
      `a device that is not assigned sends: ${[device, describeNewest(newest)].filter((part) => part !== '').join(', ')}`,
      `Assign it with "acequia ingest assign ${device} MODULE DEPTH"; what it has sent is kept until then.`,
    );
  });
  return devices.length > MAX_NAMED
    ? [...findings, finding.doubtful('others are not assigned either', '"acequia ingest devices" lists all.')]
    : findings;
}
