import { render } from 'preact'
import { Inspector } from './inspector.tsx'

const place = document.getElementById('inspector')
if (place) render(<Inspector />, place)
