import { type Sample, valueAt } from '../../../../domain/ingest/payload-path.ts';
import { MAX_DEVICE_NAME } from '../../../../schema/ingest/device.ts';
import type { ReadingsRule } from '../../../../schema/ingest/payload-map.ts';
import { toNumber } from '../message-values.ts';

/** The limits of these fields in a batch. */
const MAX_RSSI_DBM = 200;
const MAX_SNR_DB = 50;

export interface Link {
  gateway: string;
  /** In dBm. */
  rssi?: number;
  /** In dB. */
  snr?: number;
}

/** The link to the gateway that received the message best. */
export function strongestLink(
  rule: NonNullable<ReadingsRule['link']>,
  sample: Sample,
): Link | undefined {
  const list = valueAt(sample, rule.each);
  const links = (Array.isArray(list) ? list : []).flatMap((item) => linkIn(item, rule) ?? []);
  const strength = ({ rssi = -MAX_RSSI_DBM }: Link): number => rssi;
  return links.sort((a, b) => strength(b) - strength(a))[0];
}

/** Null if the item names no gateway. */
function linkIn(
  item: unknown,
  { gateway, rssi, snr }: NonNullable<ReadingsRule['link']>,
): Link | null {
  const name = valueAt([item], gateway);
  if (typeof name !== 'string' || name === '' || name.length > MAX_DEVICE_NAME) return null;

  const figureAt = (path: string | undefined): number =>
    path === undefined ? Number.NaN : toNumber(valueAt([item], path));
  const [rssiDbm, snrDb] = [figureAt(rssi), figureAt(snr)];

  const link: Link = { gateway: name };
  if (Math.abs(rssiDbm) <= MAX_RSSI_DBM) link.rssi = rssiDbm;
  if (Math.abs(snrDb) <= MAX_SNR_DB) link.snr = snrDb;
  return link;
}
