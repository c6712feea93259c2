interface Expected {
  readonly what: string;
  /** The words of the answer. */
  readonly says: RegExp;
}

interface ToolRow extends Expected {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

/** A body of POST /ingest; the answer is its JSON. */
interface IngestRow extends Expected {
  readonly ingest: object;
}

export type Row = ToolRow | IngestRow;

/** The arguments of an import. */
export const file = (module: string, ...lines: string[]) => ({ module, csv: lines.join('\n') });
