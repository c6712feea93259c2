// Each age over each transport.
import './skills.test.ts';
