/** Silence after which a gateway is faulty. Source: spec, "Limits". */
export const FAULTY_AFTER_MS = 25 * 3_600_000;

export const GATEWAY_STATUSES = ['active', 'faulty'] as const;
export type GatewayStatus = (typeof GATEWAY_STATUSES)[number];

/** Faulty: no transmission for more than 25 hours, or none so far; any other is active. Instants in ms. */
export const gatewayStatus = (lastSeenAt: number | null, now: number): GatewayStatus =>
  lastSeenAt === null || now - lastSeenAt > FAULTY_AFTER_MS ? 'faulty' : 'active';
