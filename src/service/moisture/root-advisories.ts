import { usualRootsOf } from '../../domain/balance/usual-roots.ts';
import { settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import type { Crop } from '../../domain/soil/allowed-depletion.ts';
import type { Call } from '../../operation/call.ts';
import {
  ownSettingsVersions,
  settingsVersionsOfModules,
} from '../../store/moisture/settings-versions.ts';

/** Says what the crop tables have where the root depth is unknown (null), or deeper than that. */
export function adviseOfRoots(
  call: Pick<Call, 'advise'>,
  crop: Crop | null,
  rootDepthCm: number | null,
): void {
  if (crop === null) return;
  const usual = usualRootsOf(crop);
  if (rootDepthCm === null || rootDepthCm > usual.toCm)
    call.advise({ kind: 'usual_roots', ...usual, rootDepthCm });
}

/** Advice at a probe takes the root depth of the probe's settings, or of its parcel's. */
export async function adviseOfRootsOfProbes(
  call: Call,
  { parcelId, rootDepthCm }: { readonly parcelId: number; readonly rootDepthCm: number },
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;

  const probes = ids.map((id) => ({ id, parcelId }));
  const settings = await settingsVersionsOfModules(call.db, probes);
  const differing = ids.filter((id) => {
    const inForce = settingsVersionAt(settings.get(id) ?? [], call.now);
    return inForce?.rootDepthCm !== rootDepthCm;
  });
  if (differing.length > 0)
    call.advise({ kind: 'roots_of_probes_differ', count: differing.length });
}

/** A root depth of a probe's own stays when its parcel grows another crop. */
export async function adviseOfRootsOfEarlierCrop(
  call: Call,
  probeIds: readonly number[],
): Promise<void> {
  const rootDepthsCm: number[] = [];
  for (const moduleId of probeIds) {
    const own = settingsVersionAt(await ownSettingsVersions(call.db, { moduleId }), call.now);
    if (own !== null && own.rootDepthCm !== null) rootDepthsCm.push(own.rootDepthCm);
  }
  if (rootDepthsCm.length > 0) call.advise({ kind: 'roots_of_earlier_crop', rootDepthsCm });
}
