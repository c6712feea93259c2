/** Names by which a tool's argument differs from the operation's field. */
const TOOL_NAMES: Record<string, string> = {
  moduleId: 'module',
  parcelId: 'parcel',
  targetModuleId: 'module',
  targetParcelId: 'parcel',
};

/** What a tool calls a field of its operation. */
export const toolName = (field: string): string => TOOL_NAMES[field] ?? field;
