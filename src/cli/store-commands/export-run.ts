import { chooseCompany } from '../../service/company/company.ts';
import { exportFarm } from '../../service/farm/farm-export.ts';
import { EXIT, openExistingStore, reportRefusal } from '../process/command.ts';
import { print } from '../process/output.ts';
import { writeOutput } from '../process/output-file.ts';
import type { Settings } from '../process/settings.ts';

interface ExportOptions {
  readonly out?: string | undefined;
  readonly company?: string | undefined;
}

export async function runExport(
  { out, company: name }: ExportOptions,
  settings: Pick<Settings, 'db' | 'clock'>,
): Promise<number> {
  try {
    const text = await farmFileOf(settings.db, name, settings.clock());
    if (out !== undefined) await writeOutput(out, text, settings);
    print(out === undefined ? text : `${out}\n`);
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error);
  }
}

async function farmFileOf(
  location: string,
  name: string | undefined,
  now: number,
): Promise<string> {
  const store = await openExistingStore(location);
  try {
    const company = await chooseCompany(store, name);
    const farm = await store.read(company.id, (db) => exportFarm({ db, now }, company));
    return `${JSON.stringify(farm, null, 2)}\n`;
  } finally {
    await store.close();
  }
}
