import type { ArgumentContext, CallOperation, LookupTarget } from '../../operation/operation.ts';
import type {
  IrrigationConfigurationBody,
  ParcelIrrigationBody,
} from '../../schema/irrigation/installation.ts';

interface SetupReads {
  readonly getIrrigationSetup: CallOperation;
  readonly getParcelIrrigationSetup: CallOperation;
}

/** Versions of the equipment of a probe or parcel; for a parcel also those of its probes. */
export async function* versionsOfTarget(
  { getIrrigationSetup, getParcelIrrigationSetup }: SetupReads,
  target: LookupTarget,
  { runRead }: ArgumentContext,
) {
  const read = target.moduleId == null ? getParcelIrrigationSetup : getIrrigationSetup;
  const setup = (await runRead(read, { ...target })) as
    | ParcelIrrigationBody
    | IrrigationConfigurationBody;

  const versions = setup.versions.map((version) => ({
    ...version,
    isActive: version.id === setup.installation?.id,
  }));
  const probes = 'probes' in setup ? setup.probes : [];
  const ofProbes = probes.flatMap(({ installation }) =>
    installation?.scope === 'module' ? [{ ...installation, isActive: true }] : [],
  );

  yield [...versions, ...ofProbes];
}
