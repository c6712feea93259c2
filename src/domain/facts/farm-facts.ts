import type { ConfirmationSettings } from '../irrigation/confirmation.ts';
import type { Lang } from '../lang.ts';
import type { UnitSystem } from '../units.ts';

/** The facts of the company; null where a service elsewhere does not give them. */
export interface FarmFacts {
  readonly id: number | null;
  readonly name: string | null;
  /** The language of its country. */
  readonly lang: Lang | null;
  readonly units: UnitSystem | null;
}

/** An active alert. */
export interface AlertFacts {
  readonly id: string;
  readonly moduleId: number | null;
  /** In %. */
  readonly threshold: number;
  /** Null while the alert is not evaluated. */
  readonly state: {
    readonly status: 'quiet' | 'firing' | 'stale';
    /** While stale, as it was before. */
    readonly isFiring: boolean;
    readonly since: number | null;
    /** The newest moisture in %, and its instant. */
    readonly value: number | null;
    readonly at: number | null;
  } | null;
}

export interface ActiveSchedule extends ConfirmationSettings {
  readonly id: number;
}

export interface GatewayFacts {
  readonly id: number;
  readonly imei: string;
  readonly isSilent: boolean;
  readonly lastSeenAt: number | null;
  readonly modules: readonly { readonly id: number; readonly name: string | null }[];
}

/** The newest reading of a sensor that no soil explains: in °F, or of a broken sensor. */
export interface DoubtfulTemperature {
  readonly moduleId: number;
  /** In cm; null for a sensor in the air. */
  readonly depth: number | null;
  readonly celsius: number;
}

/** How many devices are not assigned, and of how many senders messages give nothing. */
export interface WaitingCounts {
  readonly devices: number;
  readonly senders: number;
}

export interface WaitingDevices {
  readonly unassigned: readonly DeviceFacts[];
  /** The one that sent last comes first. */
  readonly unread: readonly UnreadSender[];
}

export interface UnreadSender {
  readonly sender: string;
  /** The reason of its newest message. */
  readonly reason: string;
  /** True if other values of that message were stored. */
  readonly isReadInPart: boolean;
}

/** A device that sends and is not assigned to a module. */
export interface DeviceFacts {
  readonly name: string;
  /** The newest reading of each kind. */
  readonly newest: readonly {
    readonly type: string;
    /** In cm; null where the device does not name it. */
    readonly depth: number | null;
    readonly value: number;
  }[];
}
