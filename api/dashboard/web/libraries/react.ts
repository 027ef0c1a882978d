// Loads the file that the build makes of these libraries, and runs it.
import 'react-dom/client';
