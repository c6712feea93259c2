/** Names by which a tool's argument differs from the operation's field. */
const TOOL_ARGUMENT_NAMES: Record<string, string> = {
  moduleId: 'module',
  parcelId: 'parcel',
  targetModuleId: 'module',
  targetParcelId: 'parcel',
};

/** What a tool calls a field of its operation. */
export const toolArgumentName = (field: string): string => TOOL_ARGUMENT_NAMES[field] ?? field;
