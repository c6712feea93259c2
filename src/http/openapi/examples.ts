import advice from './examples/advice.json' with { type: 'json' };
import alerts from './examples/alerts.json' with { type: 'json' };
import company from './examples/company.json' with { type: 'json' };
import irrigation from './examples/irrigation.json' with { type: 'json' };
import monitoring from './examples/monitoring.json' with { type: 'json' };
import soil from './examples/soil.json' with { type: 'json' };

/** One request of an operation with its answer, as the service gave it. */
export interface OperationExample {
  /** Path and query, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The same as CSV, where that is taken. */
  readonly csv?: string;
  /** Left out where it is a picture. */
  readonly response?: unknown;
}

const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  ...irrigation,
  ...monitoring,
  ...soil,
  ...alerts,
  ...company,
  ...advice,
};

/** The example of an operation. */
export const operationExample = (name: string): OperationExample | undefined => EXAMPLES[name];

export const exampleNames = (): string[] => Object.keys(EXAMPLES);
