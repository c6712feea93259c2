import type { Role } from '../../schema/scope.ts';

export type ModuleKind = 'SOIL_PROBE' | 'TENSIOMETER' | 'WEATHER_STATION';

export interface ModuleFacts {
  readonly name: string;
  readonly kind: ModuleKind | null;
  readonly parcel: string | null;
  readonly sensors: number;
  /** In cm, each once. */
  readonly depths: readonly number[];
  readonly isMoved: boolean;
}

export interface PlacePhrases {
  readonly noName: string;
  /** For a module without a name; `category` may be an unknown one. */
  moduleLabel(category: string | null): string;
  readonly noModule: string;
  modules(names: string): string;
  readonly noParcel: string;
  parcels(names: string): string;
  module(module: ModuleFacts): string;
  /** `zone` is the default where none is declared. */
  company(name: string, city: string | null, zone: string, isDeclared: boolean): string;
  readonly noMembers: string;
  members(people: readonly { readonly name: string; readonly role: Role }[]): string;
  enums(codes: number): string;
}
