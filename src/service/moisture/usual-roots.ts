import { usualRootsOf } from '../../domain/balance/usual-roots.ts';
import type { Crop } from '../../domain/soil/allowed-depletion.ts';
import type { Call } from '../../operation/call.ts';

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
