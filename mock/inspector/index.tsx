import { render } from 'preact'
import { Inspector } from './inspector.tsx'

const container = document.getElementById('inspector')
if (container) render(<Inspector />, container)
