// Each call through a remote service and as a tool over HTTP too.
import './surface-parity.test.ts';
