// Each era over each transport.
import './apps.test.ts';
