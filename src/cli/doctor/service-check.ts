import { DEFAULT_LANG } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';
import { installedService } from '../service/service-run.ts';
import { servicesState } from '../service/service-state.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

const newFinding = findingsAbout('service');

/** Returns no finding if none is installed, or this system keeps none on. */
export async function checkService(): Promise<DoctorFinding[]> {
  if (!['linux', 'darwin', 'win32'].includes(process.platform)) return [];
  const service = await installedService({});
  if (service === null) return [];

  const { platform, names, isSystem } = service;
  const kind = languageOf(DEFAULT_LANG).service.kinds[platform.kind];
  const system = isSystem ? ' --system' : '';
  const states = await servicesState(platform, names);
  return states.map(({ name, isOn, words }) =>
    isOn
      ? newFinding.good(`${name} is on, as ${kind}`)
      : newFinding.doubtful(
          `${name} is installed as ${kind}, but off (${words})`,
          `Turn it on with "acequia service restart${system}", or remove it with "acequia service remove${system}".`,
        ),
  );
}
