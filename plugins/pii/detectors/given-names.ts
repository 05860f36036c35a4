/** Common given names in the countries of the detectors (national statistics of first names), lower case. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  (
    'james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony donald steven paul andrew joshua kenneth kevin brian ' +
    'george timothy ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick ' +
    'frank raymond jack dennis jerry tyler aaron jose adam nathan henry zachary douglas peter kyle noah ethan jeremy walter keith roger terry austin sean gerald carl ' +
    'mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley kimberly emily donna michelle carol amanda melissa ' +
    'deborah stephanie rebecca laura sharon cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn ' +
    'janet maria olivia heather diane julie joyce victoria kelly christina lauren joan evelyn judith andrea hannah megan cheryl jacqueline martha gloria teresa sophia ' +
    'hans peter wolfgang klaus jürgen dieter manfred uwe günter horst bernd stefan andreas thomas markus matthias tobias sebastian florian lukas leon felix jonas maximilian ' +
    'ursula monika petra elisabeth sabine renate helga karin brigitte ingrid erika andrea gisela claudia susanne gabriele heike katrin anja nadine lena leonie mia johanna ' +
    'jean pierre michel andré philippe alain bernard jacques daniel christophe nicolas laurent frédéric olivier julien antoine guillaume mathieu camille léa chloé manon ' +
    'marie nathalie isabelle sylvie catherine françoise valérie sandrine céline aurélie élodie claire sophie jeanne antonio josé manuel francisco juan javier carlos ' +
    'miguel alejandro rafael fernando luis sergio jorge alberto pablo diego álvaro adrián carmen josefa isabel dolores pilar teresa ana cristina marta lucía elena raquel ' +
    'giuseppe giovanni mario luigi angelo vincenzo pietro salvatore marco francesco alessandro andrea matteo lorenzo davide luca giulia chiara francesca federica sara ' +
    'valentina martina alessia rosa angela giovanna anna maria joão pedro paulo luís miguel tiago rui beatriz inês mariana joana jan piet kees johannes willem sander ' +
    'bram daan sanne anouk femke lotte marieke piotr krzysztof andrzej tomasz paweł marcin michał katarzyna małgorzata agnieszka joanna erik lars anders johan mikael ' +
    'anna karin kristina lena eva juha mikko matti timo antti päivi tuula anne raj rahul amit sanjay vijay anil sunil priya anjali pooja neha deepak ravi suresh ramesh ' +
    'mohammed muhammad ahmed ali omar hassan fatima aisha yusuf ibrahim khalid wei li ming hiroshi takashi kenji yuki sakura haruto olga natalia irina sergei dmitri ivan ' +
    'vladimir alexei elena tatiana svetlana'
  ).split(' '),
)

/** Capitalised words that follow a given name but are no surname. */
export const NOT_SURNAMES: ReadonlySet<string> = new Set(
  (
    'street st avenue ave road rd lane drive boulevard square park hospital university college school church island river lake mountain city county bridge airport ' +
    'station hotel museum day and or the is was has had will would can could said says told asked went did does inc ltd llc corp company foundation award prize center centre'
  ).split(' '),
)
