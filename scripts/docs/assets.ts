import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { programsOf } from '../../docs/.vitepress/code/blocks.ts'
import { pageFiles } from '../../docs/.vitepress/navigation.ts'
import { sharedFiles } from '../../docs/.vitepress/run/browser.ts'
import { sandboxScript } from '../../docs/.vitepress/run/build.ts'
import { conformanceList } from '../conformance/list.ts'
import { drawPersonas } from './personas/charts.ts'
import { takePictures } from './pictures.ts'

/** Writes the files of the site that are generated from the build: the script that runs blocks, charts and pictures. */
const programs = pageFiles().flatMap((file) => programsOf(file, readFileSync(file, 'utf8')))
mkdirSync('docs/public', { recursive: true })
writeFileSync('docs/public/sandbox.js', await sandboxScript(sharedFiles(programs)))
writeFileSync('docs/public/conformance.json', JSON.stringify(conformanceList()))
drawPersonas()
await takePictures()
