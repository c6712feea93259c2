import { listedPages } from '../../operation/arguments/id-lookup.ts';
import type { ArgumentContext, CallOperation, LookupTarget } from '../../operation/operation.ts';
import type { ListedAlertBody } from '../../schema/alerts/alert.ts';

/** Alerts of a probe and of its parcel, or of a parcel and of its probes. */
export async function* alertsOfTarget(
  listAlerts: CallOperation,
  { moduleId, parcelId }: LookupTarget,
  context: ArgumentContext,
): AsyncGenerator<readonly ListedAlertBody[]> {
  const modules = await context.directory.modules();
  const probes = modules.filter((module) =>
    moduleId == null ? module.parcelId === parcelId : module.id === moduleId,
  );
  const probeIds = new Set(probes.map(({ id }) => id));
  const parcelIds = new Set([parcelId, ...probes.map((probe) => probe.parcelId)]);

  // list_alerts lists no alert of a parcel for one of its probes.
  for await (const alerts of listedPages<ListedAlertBody>(context, listAlerts, {}))
    yield alerts.filter((alert) =>
      alert.moduleId === null
        ? alert.parcelId !== null && parcelIds.has(alert.parcelId)
        : alert.moduleId === moduleId || probeIds.has(alert.moduleId),
    );
}
